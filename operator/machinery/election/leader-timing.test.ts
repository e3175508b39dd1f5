import { expect } from 'chai'
import { leaderTiming, timingProblem } from './leader-timing.ts'

describe('the timing of a leader', () => {
  it('returns a renewal deadline of 3.9 s with the default values, so that a second one fits the term', () => {
    const timing = leaderTiming({ leaseSeconds: 15, renewSeconds: 2, stopSeconds: 10 })
    expect(timing).to.deep.equal({
      leaseMs: 15_000,
      renewMs: 2_000,
      stopMs: 10_000,
      deadlineMs: 3_900,
      retryMs: 500,
      pollMs: 1_000,
    })
  })

  it('shortens the deadline with the term, so that one renewal may always fail', () => {
    for (const [leaseSeconds, renewSeconds, stopSeconds] of [
      [4, 1, 3],
      [2, 0.5, 1],
      [60, 10, 40],
    ] as const) {
      const timing = leaderTiming({ leaseSeconds, renewSeconds, stopSeconds })
      const { renewMs, deadlineMs, retryMs, stopMs } = timing
      expect(timingProblem({ leaseSeconds, renewSeconds, stopSeconds })).to.equal(null)
      expect(renewMs + deadlineMs + retryMs).to.be.below(stopMs)
    }
  })

  it('rejects a holder that stops after others may start', () => {
    const problem = timingProblem({ leaseSeconds: 10, renewSeconds: 2, stopSeconds: 10 })
    expect(problem).to.match(/^stopSeconds 10 must be below leaseSeconds 10/)
  })

  it('rejects a renewal interval that lets no renewal fail', () => {
    const problem = timingProblem({ leaseSeconds: 15, renewSeconds: 6, stopSeconds: 10 })
    expect(problem).to.match(/^renewSeconds 6 must be at most half of stopSeconds 10/)
  })
})
