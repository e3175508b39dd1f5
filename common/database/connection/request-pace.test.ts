import { expect } from 'chai'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import { createRequestPace, createStatementTimes } from './request-pace.ts'

describe('statement times', () => {
  it('gives the 95th percentile of the last 10 seconds', async () => {
    const clock = createVirtualClock()
    const times = createStatementTimes(clock)
    expect(times.p95()).to.equal(0)
    for (let n = 1; n <= 100; n += 1) times.record(n)
    expect(times.p95()).to.equal(95)
    await clock.advance(10_001)
    expect(times.p95()).to.equal(0)
    for (let n = 0; n < 600; n += 1) times.record(n < 88 ? 900 : 7)
    expect(times.p95()).to.equal(7)
  })
})

describe('the pace of requests', () => {
  it("the pace is slow above 50 ms, and does not count the retention's own statements", () => {
    const pace = createRequestPace(createVirtualClock())
    pace.times.record(900, 'retention_remove_records')
    expect(pace.isSlow()).to.equal(false)
    pace.times.record(51, 'find_commands')
    expect(pace.isSlow()).to.equal(true)
  })
})
