import { expect } from 'chai'
import fc from 'fast-check'
import { growingPartSize, partCount, partSize } from './part-size.ts'

const mebibyte = 1024 * 1024

describe('partSize', () => {
  it('returns more than 16 MiB per part only when 10,000 parts would not suffice', () => {
    expect(partSize(17 * mebibyte)).to.equal(16 * mebibyte)
    expect(partSize(160_000 * mebibyte)).to.equal(16 * mebibyte)
    expect(partSize(160_001 * mebibyte)).to.equal(17 * mebibyte)
  })

  it('returns a size that needs at most 10,000 parts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 * 1024 ** 4 }), (size) => {
        expect(partCount(size)).to.be.within(1, 10_000)
      }),
    )
  })
})

describe('growingPartSize', () => {
  it('returns the least size that S3 allows when 10,000 parts hold the working folder', () => {
    expect(growingPartSize(40_960 * mebibyte)).to.equal(5 * mebibyte)
    expect(growingPartSize(50_001 * mebibyte)).to.equal(6 * mebibyte)
  })
})
