import { expect } from 'chai'
import { useStore } from '../../testing/support/database.ts'
import { createRateLimits } from './rate-limits.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import type { Bucket, RateGroup } from '../../common/store/limits.ts'

describe('rate limits of several replicas', () => {
  const store = useStore()

  const newBucket = async (group: RateGroup, perMinute: number): Promise<Bucket> => ({
    accountId: await store.newAccount(),
    group,
    perMinute,
  })

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

  it('rate limits grant no more than the bucket holds to any number of concurrent requests', async () => {
    for (const [group, perMinute, requests] of [
      ['submissions', 4, 20],
      ['reads', 600, 400],
    ] as const) {
      const bucket = await newBucket(group, perMinute)
      const replicas = [newReplica(), newReplica()]
      const takes = replicas.flatMap(({ rates }) =>
        Array.from({ length: requests }, () => rates.take(bucket)),
      )
      const granted = (await Promise.all(takes)).filter((one) => one.granted).length
      expect(granted).to.equal(perMinute)
    }
  })

  it('rate limits need no statement per read', async () => {
    const bucket = await newBucket('reads', 6_000)
    const { rates, statements } = newReplica()
    for (let read = 0; read < 250; read++) {
      expect((await rates.take(bucket)).granted).to.equal(true)
    }
    expect(statements()).to.equal(3)
  })

  it('rate limits hold at most a sixtieth of a bucket each, for at most a minute', async () => {
    const bucket = await newBucket('reads', 600)
    const { rates, clock, statements } = newReplica()
    await rates.take(bucket)
    expect(await store.tokensLeft(bucket)).to.equal(590)
    await clock.advance(60_000)
    await rates.take(bucket)
    expect(statements()).to.equal(2)
  })

  it('rate limits refuse a flood without a statement per request', async () => {
    const bucket = await newBucket('submissions', 1)
    const { rates, clock, statements } = newReplica()
    await rates.take(bucket)
    const refusals = []
    for (let tries = 0; tries < 50; tries++) refusals.push(await rates.take(bucket))
    expect(refusals.every(({ granted }) => !granted)).to.equal(true)
    expect(statements()).to.equal(3)
    const last = refusals.at(-1)
    expect(last?.granted === false && last.retrySeconds).to.be.within(59, 60)
    await clock.advance(1_000)
    await rates.take(bucket)
    expect(statements()).to.equal(5)
  })

  it('rate limits take a token back at once', async () => {
    const bucket = await newBucket('submissions', 1)
    const { rates } = newReplica()
    const taken = await rates.take(bucket)
    expect((await rates.take(bucket)).granted).to.equal(false)
    if (taken.granted) await taken.giveBack()
    expect((await rates.take(bucket)).granted).to.equal(true)
  })

  it('rate limits reject while the database is unavailable', async () => {
    const bucket = await newBucket('reads', 600)
    const rates = createRateLimits({
      clock: createVirtualClock(),
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
