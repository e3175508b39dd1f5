import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createReadSoon } from './read-soon.ts'

describe('createReadSoon', () => {
  const started = () => {
    const clock = createVirtualClock()
    const times: number[] = []
    const reading = createReadSoon(async () => void times.push(clock.monotonicMs()), clock)
    return { clock, times, reading }
  }

  it('reads once, at the time of the first call, for all calls until then', async () => {
    const { clock, times, reading } = started()
    reading.soon(400)
    await clock.advance(300)
    reading.soon(400)
    reading.soon(0)
    await clock.advance(10_000)
    expect(times).to.deep.equal([400])
  })

  it('reads again for a call after the read has begun', async () => {
    const { clock, times, reading } = started()
    reading.soon(400)
    await clock.advance(400)
    reading.soon(100)
    await clock.advance(10_000)
    expect(times).to.deep.equal([400, 500])
  })

  it('reads nothing after it was closed, whether a read was due or is requested later', async () => {
    const { clock, times, reading } = started()
    reading.soon(400)
    reading.close()
    reading.soon(0)
    await clock.advance(10_000)
    expect(times).to.deep.equal([])
  })
})
