import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createTokenBucket } from './token-bucket.ts'

describe('token bucket', () => {
  const { signal } = new AbortController()

  it('gives its burst at once and then one after the other', async () => {
    const clock = createVirtualClock()
    const bucket = createTokenBucket({ clock, perSecond: 10, burst: 2 })
    const waits = Promise.all([1, 2, 3, 4].map(() => bucket.take(signal)))
    expect(await clock.until(waits)).to.deep.equal([0, 0, 100, 200])
  })

  it('fills up to its burst, not beyond', async () => {
    const clock = createVirtualClock()
    const bucket = createTokenBucket({ clock, perSecond: 10, burst: 2 })
    expect([bucket.tryTake(), bucket.tryTake(), bucket.tryTake()]).to.deep.equal([
      true,
      true,
      false,
    ])
    await clock.advance(60_000)
    expect([bucket.tryTake(), bucket.tryTake(), bucket.tryTake()]).to.deep.equal([
      true,
      true,
      false,
    ])
  })

  it('gets the token back of a caller that gives up waiting', async () => {
    const clock = createVirtualClock()
    const bucket = createTokenBucket({ clock, perSecond: 1, burst: 1 })
    await bucket.take(signal)
    const impatient = new AbortController()
    const given = bucket.take(impatient.signal).catch((error: unknown) => error)
    impatient.abort(new Error('enough'))
    expect(await clock.until(given)).to.be.an.instanceOf(Error)
    expect(await clock.until(bucket.take(signal))).to.equal(1_000)
  })
})
