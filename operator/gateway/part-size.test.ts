import { expect } from 'chai'
import fc from 'fast-check'
import { partCount, partSize } from './part-size.ts'

const mebibyte = 1024 * 1024

describe('partSize', () => {
  it('grows only where 10,000 parts would not do', () => {
    expect(partSize(17 * mebibyte)).to.equal(16 * mebibyte)
    expect(partSize(160_000 * mebibyte)).to.equal(16 * mebibyte)
    expect(partSize(160_001 * mebibyte)).to.equal(17 * mebibyte)
  })

  it('never needs more parts than S3 takes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 * 1024 ** 4 }), (size) => {
        expect(partCount(size)).to.be.within(1, 10_000)
      }),
    )
  })
})
