import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createPodsReady } from './pods-ready.ts'

describe('the wait for ready pods', () => {
  it('names a Job overdue when its pod is not ready in time, and holds it back afterwards', async () => {
    const clock = createVirtualClock()
    const podsReady = createPodsReady(clock, { timeoutMs: 5_000, requeueMs: 60_000 })
    podsReady.resumed('late')
    podsReady.resumed('ready')
    podsReady.ready('ready')
    await clock.advance(4_999)
    expect(podsReady.isOverdue('late')).to.equal(false)
    await clock.advance(1)
    expect(podsReady.isOverdue('late')).to.equal(true)
    expect(podsReady.isOverdue('ready')).to.equal(false)
    podsReady.timedOut('late')
    expect(podsReady.isOverdue('late')).to.equal(false)
    expect(podsReady.isHeldBack('late')).to.equal(true)
    expect(podsReady.isHeldBack('ready')).to.equal(false)
    await clock.advance(60_000)
    expect(podsReady.isHeldBack('late')).to.equal(false)
  })
})
