import { expect } from 'chai'
import { nextAttemptInSeconds } from './attempt-delivery.ts'

describe('nextAttemptInSeconds', () => {
  it('waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then gives up', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map(nextAttemptInSeconds)
    expect(waits).to.deep.equal([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000, null])
  })
})
