import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { waitFor } from './wait-for.ts'

describe('a wait for one of three', () => {
  const outcomes: [string, (world: ReturnType<typeof begin>) => void][] = [
    ['the call of done', ({ call }) => call()],
    ['the end of its time', ({ clock }) => void clock.advance(1_000)],
    ['the abort of its signal', ({ stop }) => stop.abort()],
  ]

  for (const [what, make] of outcomes) {
    it(`a wait ends at ${what}, and stops listening once`, async () => {
      const world = begin()
      make(world)
      await world.ended
      make(world)
      world.call()
      world.stop.abort()
      expect(world.stopped()).to.equal(1)
    })
  }

  it('a wait ends at once where done is called while it begins to listen', async () => {
    let stopped = 0
    const signal = new AbortController().signal
    await waitFor(createVirtualClock(), { ms: 1_000, signal }, (done) => {
      done()
      return () => {
        stopped += 1
      }
    })
    expect(stopped).to.equal(1)
  })

  it('a wait does not listen where its signal has aborted before', async () => {
    const ended = waitFor(createVirtualClock(), { ms: 1_000, signal: AbortSignal.abort() }, () => {
      throw new Error('listens')
    })
    await ended
  })

  function begin() {
    const clock = createVirtualClock()
    const stop = new AbortController()
    let stopped = 0
    let call = (): void => undefined
    const ended = waitFor(clock, { ms: 1_000, signal: stop.signal }, (done) => {
      call = done
      return () => {
        stopped += 1
      }
    })
    return { clock, stop, ended, call: () => call(), stopped: () => stopped }
  }
})
