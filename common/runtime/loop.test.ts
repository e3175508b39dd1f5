import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { silentLogger } from './logger.ts'
import { createLoop, createPacedLoop } from './loop.ts'

describe('createLoop', () => {
  function looping(work: () => Promise<void> = async () => undefined) {
    const clock = createVirtualClock()
    const times: number[] = []
    const loop = createLoop({
      name: 'test',
      everyMs: 1_000,
      work: () => {
        times.push(clock.monotonicMs())
        return work()
      },
      effects: { clock, random: () => 1 },
      logger: silentLogger,
    })
    const stop = new AbortController()
    const ended = loop.run(stop.signal)
    return { clock, times, loop, stop, ended }
  }

  it('a loop works every so often, and at once when woken', async () => {
    const { clock, times, loop, stop, ended } = looping()
    await clock.advance(1_500)
    loop.wake()
    await clock.advance(1_200)
    stop.abort()
    await ended
    expect(times).to.deep.equal([0, 1_000, 1_500, 2_500])
  })

  it('a loop works once more when woken while it works', async () => {
    const work = Promise.withResolvers<undefined>()
    const { clock, times, loop, stop, ended } = looping(() => work.promise)
    await clock.advance(100)
    loop.wake()
    work.resolve(undefined)
    await clock.advance(100)
    stop.abort()
    await ended
    expect(times).to.deep.equal([0, 100])
  })

  it('slows down while it fails, however often it is woken', async () => {
    const { clock, times, loop, stop, ended } = looping(() => Promise.reject(new Error('away')))
    await clock.advance(1_000)
    loop.wake()
    await clock.advance(20_000)
    stop.abort()
    await ended
    expect(times).to.deep.equal([0, 2_000, 6_000, 14_000])
  })

  it('a loop ends with the signal and not before its work', async () => {
    const work = Promise.withResolvers<undefined>()
    const { clock, stop, ended } = looping(() => work.promise)
    let isOver = false
    void ended.then(() => (isOver = true))
    stop.abort()
    await clock.settle()
    expect(isOver).to.equal(false)
    work.resolve(undefined)
    await clock.until(ended)
  })
})

describe('createPacedLoop', () => {
  function pacing(work: () => Promise<boolean>) {
    const clock = createVirtualClock()
    const times: number[] = []
    const loop = createPacedLoop({
      name: 'test',
      everyMs: 1_000,
      longestMs: () => 8_000,
      work: () => {
        times.push(clock.monotonicMs())
        return work()
      },
      effects: { clock, random: () => 1 },
      logger: silentLogger,
    })
    const stop = new AbortController()
    const ended = loop.run(stop.signal)
    return { clock, times, loop, stop, ended }
  }

  it('a paced loop works less often while it finds nothing', async () => {
    const { clock, times, stop, ended } = pacing(async () => false)
    await clock.advance(40_000)
    stop.abort()
    await ended
    expect(times.map(Math.round)).to.deep.equal([
      0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_500, 8_750, 12_125, 17_188, 24_781, 32_781,
    ])
  })

  it('wakes by a hint while it is idle, and works often from then on', async () => {
    const { clock, times, loop, stop, ended } = pacing(async () => false)
    await clock.advance(20_000)
    const before = times.length
    loop.hint()
    await clock.advance(2_500)
    stop.abort()
    await ended
    expect(times.slice(before)).to.deep.equal([20_000, 21_000, 22_000])
  })

  it('wakes by a hint while it finds work, at most each 100 ms', async () => {
    const { clock, times, loop, stop, ended } = pacing(async () => true)
    await clock.advance(2_050)
    for (let hints = 0; hints < 30; hints += 1) {
      loop.hint()
      await clock.advance(10)
    }
    await clock.advance(1_000)
    stop.abort()
    await ended
    expect(times).to.deep.equal([0, 1_000, 2_000, 2_100, 2_200, 2_300, 2_400])
  })
})
