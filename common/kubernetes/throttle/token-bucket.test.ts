import { expect } from 'chai'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import { createTokenBucket } from './token-bucket.ts'

describe('token bucket', () => {
  const rate = { perSecond: 10, burst: 2 }

  it('gives its burst at once, then one token per interval', async () => {
    const clock = createVirtualClock()
    const bucket = createTokenBucket({ clock, ...rate })
    const take = () => bucket.tryTake()
    expect([take(), take(), take()]).to.deep.equal([true, true, false])
    expect(bucket.msUntilToken()).to.equal(100)
    await clock.advance(100)
    expect([take(), take()]).to.deep.equal([true, false])
  })

  it('fills up to its burst, not beyond', async () => {
    const clock = createVirtualClock()
    const bucket = createTokenBucket({ clock, ...rate })
    await clock.advance(60_000)
    expect([bucket.tryTake(), bucket.tryTake(), bucket.tryTake()]).to.deep.equal([
      true,
      true,
      false,
    ])
  })

  it('keeps what it has when its rate changes, and loses what exceeds the new burst', async () => {
    const clock = createVirtualClock()
    const bucket = createTokenBucket({ clock, ...rate })
    bucket.setRate({ perSecond: 1, burst: 1 })
    expect([bucket.tryTake(), bucket.tryTake()]).to.deep.equal([true, false])
    expect(bucket.msUntilToken()).to.equal(1_000)
  })
})
