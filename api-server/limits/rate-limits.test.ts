import { expect } from 'chai'
import { useStore } from '../../testing/support/database.ts'
import { createRateLimits } from './rate-limits.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import type { Bucket, RateGroup } from '../../common/store/limits.ts'

describe('rate limits of several replicas', () => {
  const effects = systemEffects()
  const store = useStore()

  const newBucket = async (group: RateGroup, perMinute: number): Promise<Bucket> => ({
    ...{ accountId: await store.newAccount(), group, perMinute },
  })

  /** Seconds that the test itself took, during which a bucket refills. */
  const since = (beganMs: number) => (effects.clock.monotonicMs() - beganMs) / 1_000

  /** A replica with a count of its statements and a manual clock. */
  function newReplica() {
    const clock = createVirtualClock()
    let statements = 0
    const counted = <Args extends unknown[], Result>(statement: (...args: Args) => Result) => {
      return (...args: Args) => {
        statements += 1
        return statement(...args)
      }
    }
    const rates = createRateLimits({
      clock,
      store: {
        takeTokens: counted((take) => store.takeTokens(take)),
        secondsUntilTokens: counted((take) => store.secondsUntilTokens(take)),
        giveTokensBack: counted((take) => store.giveTokensBack(take)),
      },
    })
    return { rates, clock, statements: () => statements }
  }

  it('grant no more than the bucket holds to any number of concurrent requests', async () => {
    for (const [group, perMinute, requests] of [
      ['submissions', 4, 20],
      ['reads', 600, 400],
    ] as const) {
      const bucket = await newBucket(group, perMinute)
      const replicas = [newReplica(), newReplica()]
      const began = effects.clock.monotonicMs()
      const takes = replicas.flatMap(({ rates }) =>
        Array.from({ length: requests }, () => rates.take(bucket)),
      )
      const granted = (await Promise.all(takes)).filter((one) => one.granted).length
      const refilled = (since(began) / 60) * perMinute
      expect(granted).to.be.within(perMinute, perMinute + Math.ceil(refilled))
    }
  })

  it('need no statement per read', async () => {
    const bucket = await newBucket('reads', 6_000)
    const { rates, statements } = newReplica()
    for (let read = 0; read < 250; read++) {
      expect((await rates.take(bucket)).granted).to.equal(true)
    }
    expect(statements()).to.equal(3)
  })

  it('hold at most a sixtieth of a bucket each, for at most a minute', async () => {
    const bucket = await newBucket('reads', 600)
    const { rates, clock, statements } = newReplica()
    const began = effects.clock.monotonicMs()
    await rates.take(bucket)
    const left = await store.tokensLeft(bucket)
    expect(left).to.be.within(590, 590 + since(began) * 10)
    await clock.advance(60_000)
    await rates.take(bucket)
    expect(statements()).to.equal(2)
  })

  it('refuse a flood without a statement per request', async () => {
    const bucket = await newBucket('submissions', 1)
    const { rates, clock, statements } = newReplica()
    const began = effects.clock.monotonicMs()
    await rates.take(bucket)
    const refusals = []
    for (let tries = 0; tries < 50; tries++) refusals.push(await rates.take(bucket))
    expect(refusals.every(({ granted }) => !granted)).to.equal(true)
    expect(statements()).to.equal(3)
    const last = refusals.at(-1)
    expect(last?.granted === false && last.retrySeconds).to.be.within(59 - since(began), 60)
    await clock.advance(1_000)
    await rates.take(bucket)
    expect(statements()).to.equal(5)
  })

  it('take a token back at once', async () => {
    const bucket = await newBucket('submissions', 1)
    const { rates } = newReplica()
    const taken = await rates.take(bucket)
    expect((await rates.take(bucket)).granted).to.equal(false)
    if (taken.granted) await taken.giveBack()
    expect((await rates.take(bucket)).granted).to.equal(true)
  })

  it('reject while the database is unavailable', async () => {
    const bucket = await newBucket('reads', 600)
    const rates = createRateLimits({
      clock: effects.clock,
      store: {
        takeTokens: () => Promise.reject(new Error('away')),
        secondsUntilTokens: (take) => store.secondsUntilTokens(take),
        giveTokensBack: (take) => store.giveTokensBack(take),
      },
    })
    const results = await Promise.allSettled([rates.take(bucket), rates.take(bucket)])
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
  })
})
