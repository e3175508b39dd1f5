import { expect } from 'chai'
import fc from 'fast-check'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { job, pod } from '../../testing/support/operator/snapshot.ts'
import { createOfferTurns, keepMs } from './offer-turns.ts'
import type { UsableOffer } from './usable-offers.ts'

describe('the turns of accounts at the pods that wait', () => {
  it('the turns limit no account that is alone', () => {
    const { waiting, take } = pool(3)
    expect([take('a'), take('a'), take('a'), take('a')]).to.deep.equal([true, true, true, false])
    expect(waiting()).to.equal(0)
  })

  it('the turns keep the next pod for an account that found none, and give it back when it does not come', async () => {
    const { take, refill, clock } = pool(1)
    expect([take('a'), take('b')]).to.deep.equal([true, false])
    await clock.advance(1_000)
    refill()
    expect(take('a')).to.equal(false)
    await clock.advance(1_000)
    expect([take('b'), take('a')]).to.deep.equal([true, false])
    refill()
    expect(take('a'), 'b has had the last one').to.equal(true)
    refill()
    expect(take('a'), 'it is the turn of b').to.equal(false)
    await clock.advance(keepMs + 1_000)
    expect(take('a')).to.equal(true)
  })

  it('the turns forget an account that has not come for a minute', async () => {
    const { take, refill, clock } = pool(2)
    expect([take('b'), take('a')]).to.deep.equal([true, true])
    await clock.advance(60_000)
    refill()
    refill()
    expect([take('a'), take('a')]).to.deep.equal([true, true])
  })

  it('the turns give each account of a pass its part, in any order', () => {
    const accounts = fc.integer({ min: 2, max: 4 })
    const property = fc.property(
      accounts,
      fc.integer({ min: 0, max: 9 }),
      fc.array(fc.nat({ max: 3 })),
      (count, pods, order) => {
        const { turns, take, waiting } = pool(pods)
        const calls = order.map((each) => each % count)
        const wanted = Array.from(
          { length: count },
          (_, at) => calls.filter((i) => i === at).length,
        )
        const chosen = wanted.map(
          (commands, at) => [name(at), { commands, hasBacklog: false }] as const,
        )
        turns.admitting(new Map(chosen), pods)
        const taken = wanted.map(() => 0)
        for (const at of calls) if (take(name(at))) taken[at] = (taken[at] ?? 0) + 1
        const wanting = wanted.filter((commands) => commands > 0).length
        for (const [at, commands] of wanted.entries()) {
          if (commands === 0) continue
          // Each gets one while there is a pod for each, and at most its part beside others.
          if (pods >= wanting) expect(taken[at]).to.be.at.least(1)
          if (wanting > 1) expect(taken[at]).to.be.at.most(Math.ceil(pods / wanting))
        }
        if (wanting === 1) expect(waiting()).to.equal(Math.max(0, pods - calls.length))
      },
    )
    fc.assert(property)
  })

  it('the turns leave an account one of any two pods that come, however another floods', async () => {
    const pauses = fc.array(fc.integer({ min: 100, max: keepMs - 1_500 }), { minLength: 20 })
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 20, max: 300 }),
      pauses,
      async (size, floodMs, waits) => {
        const { take, refill, waiting, clock } = pool(size)
        let [taken, cameSince, nextMs] = [0, 0, 0]
        let refillMs = 1_000
        let last = ''
        for (const pauseMs of waits) {
          for (; clock.monotonicMs() < nextMs; await clock.advance(floodMs)) {
            if (clock.monotonicMs() >= refillMs) {
              refillMs += 1_000
              cameSince += taken
              for (; taken > 0; taken -= 1) refill()
            }
            if (take('flood')) {
              taken += 1
              last = 'flood'
            }
          }
          nextMs = clock.monotonicMs() + pauseMs
          if (take('other')) {
            ;[taken, cameSince, last] = [taken + 1, 0, 'other']
          } else if (waiting() === 0) expect(cameSince).to.be.at.most(1)
          else expect(last).to.equal('other')
        }
      },
    )
    await fc.assert(property, { numRuns: 40 })
  })
})

/** Pods that wait, of which each begins to wait when it comes. */
function pool(size: number) {
  const clock = createVirtualClock()
  const turns = createOfferTurns(clock)
  const pods: { sinceMs: number; uid: string }[] = []
  let count = 0
  const refill = (): void =>
    void pods.push({ sinceMs: clock.monotonicMs(), uid: `${(count += 1)}` })
  for (let index = 0; index < size; index += 1) refill()
  return {
    clock,
    turns,
    refill,
    waiting: () => pods.length,
    take: (accountId: string): boolean => {
      const offers = pods.map(({ sinceMs, uid }): UsableOffer => {
        const waitedSeconds = Math.ceil((clock.monotonicMs() - sinceMs) / 1_000)
        const offer = { podUid: uid, podName: uid, waitedSeconds }
        return { offer, job: job(), pod: pod({ uid }), runsSeconds: waitedSeconds }
      })
      const taken = turns.take(accountId, offers)
      if (taken === null) return false
      pods.splice(
        pods.findIndex(({ uid }) => uid === taken.offer.podUid),
        1,
      )
      return true
    },
  }
}

function name(at: number): string {
  return `account ${at}`
}
