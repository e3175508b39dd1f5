import { expect } from 'chai'
import fc from 'fast-check'
import { backoffMs } from './backoff.ts'

describe('waiting between tries', () => {
  it('the wait doubles up to a limit', () => {
    expect([1, 2, 3, 4, 5, 6].map((failures) => backoffMs(failures, 1, null))).to.deep.equal([
      500, 1000, 2000, 4000, 8000, 8000,
    ])
  })
  it('spreads over the upper half of each wait', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, random) => {
          const longest = backoffMs(failures, 1, null)
          const wait = backoffMs(failures, random, null)
          return wait >= longest / 2 && wait < longest
        },
      ),
    )
  })
  it('waits for the Retry-After of a server, up to 30 s', () => {
    expect([backoffMs(1, 0, 10_000), backoffMs(1, 0, 900_000)]).to.deep.equal([10_000, 30_000])
  })
})
