import { expect } from 'chai'
import fc from 'fast-check'
import { useStore } from '../../../testing/support/database.ts'
import type { Bucket } from '../../store/limits.ts'

describe('rate buckets', () => {
  const store = useStore()

  const newBucket = async (perMinute: number): Promise<Bucket> => ({
    accountId: await store.newAccount(),
    group: 'submissions',
    perMinute,
  })

  /** Advances the database's time for a bucket. */
  const wait = ({ accountId }: Bucket, seconds: number) =>
    store.query(
      'wait',
      `update rate_buckets set full_at = full_at - make_interval(secs => $2) where account_id = $1`,
      [accountId, seconds],
    )

  it('rate buckets behave like a model that refills evenly', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 4, 7, 60, 299, 6_000),
        fc.array(step, { maxLength: 25 }),
        async (perMinute, steps) => {
          const bucket = await newBucket(perMinute)
          let expected: number = perMinute
          const add = (tokens: number) => {
            expected = Math.max(0, Math.min(perMinute, expected + tokens))
          }
          for (const { kind, share } of steps) {
            const tokens = Math.max(1, Math.round(share * perMinute))
            if (kind === 'wait') {
              await wait(bucket, share * 60)
              add(share * perMinute)
            } else if (kind === 'give-back') {
              await store.giveTokensBack({ ...bucket, tokens })
              add(tokens)
            } else {
              const granted = await store.takeTokens({ ...bucket, tokens })
              const what = `${tokens} of ${expected}`
              if (tokens <= expected - play) expect(granted, what).to.equal(true)
              if (tokens > expected + play) expect(granted, what).to.equal(false)
              if (granted) add(-tokens)
            }
            const left = await store.tokensLeft(bucket)
            expect(left).to.be.within(Math.floor(expected - play), Math.floor(expected + play))
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('rate buckets return exactly how long to wait', async () => {
    const bucket = await newBucket(4)
    const take = { ...bucket, tokens: 1 }
    expect(await store.secondsUntilTokens(take)).to.equal(0)
    for (let taken = 0; taken < 4; taken++) expect(await store.takeTokens(take)).to.equal(true)
    expect(await store.takeTokens(take)).to.equal(false)
    const seconds = (await store.secondsUntilTokens(take)) ?? 0
    expect(seconds).to.be.within(15 - 0.02, 15)
    await wait(bucket, seconds - 10)
    expect(await store.takeTokens(take)).to.equal(false)
    await wait(bucket, 10)
    expect(await store.takeTokens(take)).to.equal(true)
  })

  it('buckets are never overdrawn by concurrent requests', async () => {
    const bucket = await newBucket(4)
    const takes = Array.from({ length: 40 }, () => store.takeTokens({ ...bucket, tokens: 1 }))
    expect((await Promise.all(takes)).filter(Boolean)).to.have.length(4)
    expect(await store.tokensLeft(bucket)).to.equal(0)
  })

  it('a bucket never opens at a rate of zero, and at less than one a minute one by one', async () => {
    const never = { ...(await newBucket(0)), tokens: 1 }
    expect(await store.takeTokens(never)).to.equal(false)
    expect(await store.secondsUntilTokens(never)).to.equal(null)
    const slow = { ...(await newBucket(0.5)), tokens: 1 }
    expect(await store.takeTokens(slow)).to.equal(true)
    expect(await store.takeTokens(slow)).to.equal(false)
    expect(await store.secondsUntilTokens(slow)).to.be.within(120 - 0.2, 120)
  })
})

/** Tolerance in tokens: PostgreSQL rounds times to microseconds, and the bucket allows for that. */
const play = 0.01

const step = fc.record({
  kind: fc.constantFrom('take', 'take', 'take', 'wait', 'give-back'),
  share: fc.double({ min: 0, max: 1.2, noNaN: true }),
})
