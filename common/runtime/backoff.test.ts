import { expect } from 'chai'
import fc from 'fast-check'
import { backoff, fullJitter, halfJitter } from './backoff.ts'

describe('backoff', () => {
  it('the wait doubles with each failure up to the longest wait', () => {
    const limits = { first: 100, longest: 500, jitter: [1, 1] } as const
    const waits = [1, 2, 3, 4, 5_000].map((failures) => backoff(limits, failures, 0))
    expect(waits).to.deep.equal([100, 200, 400, 500, 500])
  })

  it('returns waits within the range of the jitter', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(fullJitter, halfJitter, [0.75, 1.25] as const),
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (jitter, failures, random) => {
          const wait = backoff({ first: 1, longest: 60, jitter }, failures, random)
          const full = backoff({ first: 1, longest: 60, jitter: [1, 1] }, failures, random)
          expect(wait).to.be.within(full * jitter[0], full * jitter[1])
        },
      ),
    )
  })
})
