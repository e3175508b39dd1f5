import { expect } from 'chai'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import { createAttemptRequests } from './attempt-requests.ts'

describe('createAttemptRequests', () => {
  function opened() {
    const clock = createVirtualClock()
    const refusals: string[] = []
    const requests = createAttemptRequests(clock, (limit) => refusals.push(limit))
    const taken = (attempt: string, path: string, count: number) =>
      Array.from({ length: count }, () => requests.take(attempt, path)).filter(
        (refusal) => refusal === null,
      ).length
    return { clock, refusals, requests, taken }
  }

  it('allows one report a second, and ten that arrive together', async () => {
    const { clock, refusals, requests, taken } = opened()
    expect(taken('one', '/v1/progress', 12)).to.equal(10)
    expect(refusals).to.deep.equal(['reports', 'reports'])
    await clock.advance(2_000)
    expect(taken('one', '/v1/progress', 5)).to.equal(2)
    expect(requests.take('one', '/v1/progress')).to.deep.equal({
      status: 429,
      body: { detail: 'Too many reports of one attempt: 1 a second; retry in 1 s' },
      retryAfterSeconds: 1,
    })
  })

  it('accepts the result of an attempt that has made more requests than it may at once', async () => {
    const { clock, taken } = opened()
    expect(taken('one', '/v1/uploads', 8_200)).to.equal(8_192)
    expect(taken('one', '/v1/result', 1)).to.equal(0)
    await clock.advance(1_000)
    expect(taken('one', '/v1/result', 1)).to.equal(1)
  })

  it('counts reports apart from other requests, and attempts apart from each other', () => {
    const { taken } = opened()
    expect(taken('one', '/v1/progress', 20)).to.equal(10)
    expect(taken('one', '/v1/result', 1)).to.equal(1)
    expect(taken('other', '/v1/progress', 1)).to.equal(1)
  })
})
