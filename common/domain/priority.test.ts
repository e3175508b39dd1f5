import { expect } from 'chai'
import fc from 'fast-check'
import { priorities, queueShiftSeconds } from './priority.ts'
import type { Priority } from './priority.ts'

const ageSeconds = 600
const submitted = fc.record({
  priority: fc.constantFrom(...priorities),
  atSeconds: fc.integer({ min: 0, max: 5_000 }),
})

function placeOf({ priority, atSeconds }: { priority: Priority; atSeconds: number }): number {
  return atSeconds + (queueShiftSeconds(priority, ageSeconds) ?? 0)
}

describe('queueShiftSeconds', () => {
  it('lets a command be passed only by those submitted less than twice the age after it', () => {
    const property = fc.property(submitted, submitted, (one, other) => {
      const isPassed = other.atSeconds > one.atSeconds && placeOf(other) < placeOf(one)
      if (isPassed) expect(other.atSeconds).to.be.below(one.atSeconds + 2 * ageSeconds)
    })
    fc.assert(property, { numRuns: 2_000 })
  })

  it('lets a high command pass a low one until twice the age has passed', () => {
    const low = placeOf({ priority: 'low', atSeconds: 0 })
    expect(placeOf({ priority: 'high', atSeconds: 1_199 })).to.be.below(low)
    expect(placeOf({ priority: 'high', atSeconds: 1_201 })).to.be.above(low)
    expect(placeOf({ priority: 'normal', atSeconds: 599 })).to.be.below(low)
    expect(placeOf({ priority: 'normal', atSeconds: 601 })).to.be.above(low)
  })

  it('keeps the order of submission among commands of one priority', () => {
    const property = fc.property(submitted, submitted, (one, { atSeconds }) => {
      const other = { ...one, atSeconds }
      expect(placeOf(one) - placeOf(other)).to.equal(one.atSeconds - atSeconds)
    })
    fc.assert(property)
  })
})
