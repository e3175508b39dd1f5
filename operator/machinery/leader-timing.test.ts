import { expect } from 'chai'
import { leaderTiming } from './leader-timing.ts'

describe('the timing of a leader', () => {
  it('fails over within five seconds with a Lease of four', () => {
    const timing = { leaseMs: 4_000, renewMs: 1_000, stopMs: 3_000, lookMs: 500 }
    expect(leaderTiming(4)).to.deep.equal(timing)
    expect(timing.leaseMs + timing.lookMs).to.be.lessThan(5_000)
  })

  for (const seconds of [2, 4, 10, 15, 60]) {
    it(`lets two renewals fail before a holder of ${seconds} s stops, and it stops before others start`, () => {
      const { leaseMs, renewMs, stopMs, lookMs } = leaderTiming(seconds)
      expect(renewMs + 2 * lookMs).to.be.at.most(stopMs)
      expect(stopMs).to.be.lessThan(leaseMs)
    })
  }
})
