import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { planWith } from '../../testing/support/plans.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import { sleep } from '../../common/runtime/effects.ts'
import { createImportRoom } from './import-room.ts'
import type { Account } from '../../common/store/accounts.ts'

const limit = 20

/** A queue with one that runs already, whose count takes a moment. */
function fullRoom() {
  const clock = createVirtualClock()
  const account = { accountId: 'a', name: 'acme', plan: 'small', limits: {} } as Account
  const state = { queued: 0, reads: 0 }
  const woken: string[] = []
  const room = createImportRoom({
    store: {
      async readQueue() {
        state.reads += 1
        const { queued } = state
        await sleep(clock, 50)
        return { queued, running: 0, meanSeconds: null }
      },
      findAccountByName: async () => account,
    },
    plans: { small: planWith({ maxQueued: limit, maxQueuedFiles: limit }) },
    clock,
    logger: silentLogger,
    wake: (id) => woken.push(id),
    metrics: { importsWaiting: () => undefined },
  })
  const factsOf = (commandId: string) =>
    ({ commandId, kind: 'FfmpegCommand', account: 'acme' }) as const
  const take = (ids: readonly string[]) =>
    clock.until(Promise.all(ids.map((id) => room.take(factsOf(id), account))))
  /** Those that are let in join the queue, as their import does. */
  const join = (ids: readonly string[]) => {
    for (const id of ids) {
      state.queued += 1
      room.forget(id)
    }
  }
  return { clock, room, state, woken, take, join }
}

const ids = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

describe('the room for applied objects', () => {
  it('lets in as many as there are places, where all come while the queue is counted', async () => {
    const { state, take } = fullRoom()
    const answers = await take(ids(28, 'c'))
    expect(answers.filter((why) => why === null)).to.have.length(limit)
    expect(state.reads).to.equal(1)
  })

  it('counts what was let in and has not joined the queue yet', async () => {
    const { clock, take } = fullRoom()
    await take(ids(15, 'first'))
    await clock.advance(2_000)
    const answers = await take(ids(15, 'second'))
    expect(answers.filter((why) => why === null)).to.have.length(limit - 15)
  })

  it('lets one in again that was let in before, without another place', async () => {
    const { clock, take, join } = fullRoom()
    const all = ids(limit, 'c')
    await take(all)
    await clock.advance(2_000)
    expect((await take(all)).every((why) => why === null)).to.equal(true)
    join(all)
    await clock.advance(2_000)
    expect((await take(['late']))[0]).to.include({ reason: 'QueueFull' })
  })

  it('wakes as many as there is room for, once', async () => {
    const { clock, room, state, woken, take, join } = fullRoom()
    const all = ids(28, 'c')
    const answers = await take(all)
    join(all.filter((_, index) => answers[index] === null))
    state.queued -= 3
    const nextRound = async () => {
      await clock.advance(70_000)
      await clock.until(room.wakeThatFit(new AbortController().signal))
    }
    await nextRound()
    expect(woken).to.have.length(3)
    join(woken)
    await nextRound()
    expect(woken).to.have.length(3)
  })

  it('gives the place of one back whose object went while it was let in', async () => {
    const { clock, room, take } = fullRoom()
    await take(ids(limit, 'gone'))
    await clock.advance(61_000)
    await clock.until(room.wakeThatFit(new AbortController().signal))
    expect((await take(['next']))[0]).to.equal(null)
  })
})
