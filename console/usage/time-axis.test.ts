import { expect } from 'chai'
import fc from 'fast-check'
import { bucketAt, ticksOf } from './time-axis.ts'

describe('names below the bars', () => {
  it('ticksOf returns at most 7 places in their order, for any number of hours or days', () => {
    const size = fc.constantFrom('hour' as const, 'day' as const)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 750 }), size, (count, of) => {
        const stepMs = of === 'hour' ? 3_600_000 : 86_400_000
        const buckets = Array.from({ length: count }, (_, index) => ({
          start: new Date(index * stepMs).toISOString(),
        }))
        const places = ticksOf(buckets, of, 'utc').map(({ index }) => index)
        expect(places.length).to.be.at.most(7)
        expect(places).to.deep.equal(places.toSorted((a, b) => a - b))
        expect(new Set(places).size).to.equal(places.length)
        for (const place of places) expect(place).to.be.within(0, count - 1)
      }),
    )
  })
})

describe('bucketAt', () => {
  it('bucketAt returns the bucket below the pointer, and the first or last one at the edges', () => {
    expect([-0.1, 0, 0.49, 0.5, 0.99, 1].map((share) => bucketAt(share, 4))).to.deep.equal([
      0, 0, 1, 2, 3, 3,
    ])
  })
})
