import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { silentLogger } from './logger.ts'
import { createLoop } from './loop.ts'

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

  it('works every so often, and at once when woken', async () => {
    const { clock, times, loop, stop, ended } = looping()
    await clock.advance(1_500)
    loop.wake()
    await clock.advance(1_200)
    stop.abort()
    await ended
    expect(times).to.deep.equal([0, 1_000, 1_500, 2_500])
  })

  it('works once more when woken while it works', async () => {
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

  it('ends with the signal and not before its work', async () => {
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
