import { expect } from 'chai'
import fc from 'fast-check'
import { useStore } from '../../../testing/support/database.ts'
import { systemClock } from '../../runtime/system-effects.ts'
import type { Bucket } from '../../store/limits.ts'

describe('rate buckets', () => {
  const store = useStore()

  const newBucket = async (perMinute: number): Promise<Bucket> => ({
    ...{ accountId: await store.newAccount(), group: 'submissions', perMinute },
  })

  /** Advances the database's time for a bucket; the run time of the test adds to it. */
  const wait = ({ accountId }: Bucket, seconds: number) =>
    store.query(
      'wait',
      `update rate_buckets set full_at = full_at - make_interval(secs => $2) where account_id = $1`,
      [accountId, seconds],
    )

  it('behave like a model that refills evenly', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 4, 7, 60, 299, 6_000),
        fc.array(step, { maxLength: 25 }),
        async (perMinute, steps) => {
          const bucket = await newBucket(perMinute)
          const model = modelOf(perMinute)
          for (const { kind, share } of steps) {
            const tokens = Math.max(1, Math.round(share * perMinute))
            if (kind === 'wait') {
              await wait(bucket, share * 60)
              model.add(share * perMinute)
            } else if (kind === 'give-back') {
              await store.giveTokensBack({ ...bucket, tokens })
              model.add(tokens)
            } else {
              const granted = await store.takeTokens({ ...bucket, tokens })
              const { atLeast, atMost } = model.now()
              if (tokens <= atLeast) expect(granted, `${tokens} of ${atLeast}`).to.equal(true)
              if (tokens > atMost) expect(granted, `${tokens} of ${atMost}`).to.equal(false)
              if (granted) model.add(-tokens)
            }
            const left = await store.tokensLeft(bucket)
            const { atLeast, atMost } = model.now()
            expect(left).to.be.within(Math.floor(atLeast), Math.floor(atMost))
          }
        },
      ),
      { numRuns: 60 },
    )
  }).timeout(60_000)

  it('return exactly how long to wait', async () => {
    const bucket = await newBucket(4)
    const take = { ...bucket, tokens: 1 }
    expect(await store.secondsUntilTokens(take)).to.equal(0)
    const began = systemClock.monotonicMs()
    for (let taken = 0; taken < 4; taken++) expect(await store.takeTokens(take)).to.equal(true)
    expect(await store.takeTokens(take)).to.equal(false)
    const seconds = (await store.secondsUntilTokens(take)) ?? 0
    expect(seconds).to.be.within(15 - since(began) - 0.02, 15)
    await wait(bucket, seconds - 10)
    expect(await store.takeTokens(take)).to.equal(false)
    await wait(bucket, 10)
    expect(await store.takeTokens(take)).to.equal(true)
  })

  it('are never overdrawn by concurrent requests', async () => {
    const bucket = await newBucket(4)
    const takes = Array.from({ length: 40 }, () => store.takeTokens({ ...bucket, tokens: 1 }))
    expect((await Promise.all(takes)).filter(Boolean)).to.have.length(4)
    expect(await store.tokensLeft(bucket)).to.equal(0)
  })

  it('never open at a rate of zero, and at less than one a minute one by one', async () => {
    const never = { ...(await newBucket(0)), tokens: 1 }
    expect(await store.takeTokens(never)).to.equal(false)
    expect(await store.secondsUntilTokens(never)).to.equal(null)
    const slow = { ...(await newBucket(0.5)), tokens: 1 }
    const began = systemClock.monotonicMs()
    expect(await store.takeTokens(slow)).to.equal(true)
    expect(await store.takeTokens(slow)).to.equal(false)
    expect(await store.secondsUntilTokens(slow)).to.be.within(119 - since(began), 120)
  })
})

/** Seconds that the test itself took, in which a bucket refills too. */
function since(beganMs: number): number {
  return (systemClock.monotonicMs() - beganMs) / 1_000
}

const step = fc.record({
  kind: fc.constantFrom('take', 'take', 'take', 'wait', 'give-back'),
  share: fc.double({ min: 0, max: 1.2, noNaN: true }),
})

/** Returns a lower and an upper bound, because time passes while a statement runs. */
function modelOf(perMinute: number) {
  const play = 0.02 + perMinute / 1_000
  let atLeast = perMinute
  let atMost = perMinute
  let seenAt = systemClock.monotonicMs()
  const capped = (tokens: number) => Math.max(0, Math.min(perMinute, tokens))
  const now = () => {
    const passedMs = systemClock.monotonicMs() - seenAt
    seenAt += passedMs
    atMost = capped(atMost + (passedMs / 60_000) * perMinute)
    return { atLeast: atLeast - play, atMost: atMost + play }
  }
  return {
    now,
    add(tokens: number) {
      now()
      atLeast = capped(atLeast + tokens)
      atMost = capped(atMost + tokens)
    },
  }
}
