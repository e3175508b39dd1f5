import { expect } from 'chai'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import type { VirtualClock } from '../../../testing/support/virtual-clock.ts'
import { requestLanes } from './lane-order.ts'
import type { RequestLane } from './lane-order.ts'
import { createRequestThrottle } from './request-throttle.ts'

describe('throttle of requests to the Kubernetes API', () => {
  const { signal } = new AbortController()
  let clock: VirtualClock
  let slowed: number
  const throttleOf = (rate: { perSecond: number; burst: number }) => {
    slowed = 0
    return createRequestThrottle({ clock, ...rate, onSlowed: () => (slowed += 1) })
  }

  beforeEach(() => {
    clock = createVirtualClock()
  })

  /** Keeps so many requests of each lane waiting. @returns turns given to each */
  async function saturate(lanes: readonly RequestLane[], seconds: number) {
    const throttle = throttleOf({ perSecond: 100, burst: 10 })
    const turns = { start: 0, end: 0, show: 0, tidy: 0 }
    const again = (lane: RequestLane): void => {
      throttle.request(lane, () => {
        turns[lane] += 1
        again(lane)
      })
    }
    for (const lane of lanes) again(lane)
    await clock.advance(seconds * 1_000)
    return turns
  }

  it('gives a request its turn at once while there are tokens, then by the rate in order', async () => {
    const throttle = throttleOf({ perSecond: 10, burst: 10 })
    const waits = Array.from({ length: 13 }, () => throttle.take('end', signal))
    const waited = await clock.until(Promise.all(waits))
    expect(waited.map(Math.round)).to.deep.equal([...Array<number>(10).fill(0), 100, 200, 300])
  })

  it('gives a start the next turn, however many others wait', async () => {
    const throttle = throttleOf({ perSecond: 100, burst: 10 })
    for (let index = 0; index < 1_000; index += 1) void throttle.take('end', signal)
    expect(await clock.until(throttle.take('start', signal))).to.be.at.most(10.01)
  })

  it('gives each lane 10 % when all lanes are full', async () => {
    const { start, end, show, tidy } = await saturate(requestLanes, 60)
    expect(start + end + show + tidy).to.be.within(6_000, 6_011)
    for (const turns of [end, show, tidy]) expect(turns).to.be.within(595, 605)
  })

  it('gives show 30 % at most, also when no other lane has requests', async () => {
    expect((await saturate(['show'], 60)).show).to.be.within(1_790, 1_810)
    const { show, tidy } = await saturate(['show', 'tidy'], 60)
    expect(show).to.be.within(1_790, 1_810)
    expect(tidy).to.be.within(4_190, 4_220)
  })

  it('gives no turn to a caller that has given up, and none is lost', async () => {
    const throttle = throttleOf({ perSecond: 1, burst: 1 })
    await throttle.take('start', signal)
    const impatient = new AbortController()
    const given = throttle.take('start', impatient.signal).catch((error: unknown) => error)
    impatient.abort(new Error('enough'))
    expect(await clock.until(given)).to.be.an.instanceOf(Error)
    expect(clock.pendingTimers()).to.equal(0)
    expect(await clock.until(throttle.take('start', signal))).to.equal(1_000)
  })

  it('the throttle halves its rate for a minute after three refusals within 10 s', async () => {
    const throttle = throttleOf({ perSecond: 100, burst: 200 })
    throttle.refused()
    throttle.refused()
    await clock.advance(10_001)
    throttle.refused()
    expect([throttle.perSecond(), slowed]).to.deep.equal([100, 0])
    throttle.refused()
    throttle.refused()
    expect([throttle.perSecond(), slowed]).to.deep.equal([50, 1])
    const waits = Array.from({ length: 150 }, () => throttle.take('end', signal))
    const waited = await clock.until(Promise.all(waits))
    expect(Math.round(waited.at(-1) ?? 0)).to.equal(1_000)
    await clock.advance(60_000)
    expect([throttle.perSecond(), slowed]).to.deep.equal([100, 1])
  })
})
