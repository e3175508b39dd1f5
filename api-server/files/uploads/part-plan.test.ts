import { expect } from 'chai'
import fc from 'fast-check'
import { mostUploadBytes, partPlan } from './part-plan.ts'

const mebibyte = 1_048_576

describe('partPlan', () => {
  it('takes the requested size when the object store allows it', () => {
    expect(partPlan(30 * mebibyte, 16 * mebibyte)).to.deep.equal({
      partBytes: 16 * mebibyte,
      partCount: 2,
    })
    expect(partPlan(30 * mebibyte, 4 * mebibyte).partCount).to.equal(6)
    expect(partPlan(1, 1)).to.deep.equal({ partBytes: 5 * mebibyte, partCount: 1 })
  })

  it('partPlan respects the limits of S3 for every size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: mostUploadBytes }),
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        (size, requested) => {
          const { partBytes, partCount } = partPlan(size, requested)
          expect(partCount).to.equal(Math.ceil(size / partBytes))
          expect(partCount).to.be.within(1, 10_000)
          expect(partBytes).to.be.within(5 * mebibyte, 5_368_709_120)
        },
      ),
    )
  })
})
