import { expect } from 'chai'
import fc from 'fast-check'
import { setImmediate } from 'node:timers/promises'
import { useStore } from '../../../testing/support/database.ts'
import { createCommandRecords } from './command-records.ts'
import { createQueuePlaces } from './queue-places.ts'
import { createFileUrls } from '../../files/file-urls.ts'
import {
  commitOf,
  newCommand,
  newFile,
  newId,
  progressOf,
  failed,
} from '../../../testing/store-contract/fixtures.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { Store } from '../../../common/store/store.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'

const fileUrls = createFileUrls({ publicBaseUrl: 'https://f.example', presign: async (key) => key })

describe('createCommandRecords', () => {
  const store = useStore()

  /** Records of one account over the real database, on a clock that moves by hand. */
  async function setUp(rememberMs = 200) {
    const accountId = await store.newAccount('pro')
    let nowMs = 0
    const timers: (() => void)[] = []
    const clock: Clock = {
      monotonicMs: () => nowMs,
      wall: () => new Date(),
      schedule(_delayMs, callback) {
        timers.push(callback)
        return () => undefined
      },
    }
    const checking: Promise<unknown>[] = []
    const statements = { reads: 0, checks: [] as number[] }
    /** Commands of each statement that read those that had changed. */
    const rereads: number[] = []
    const track = <T>(answer: Promise<T>): Promise<T> => {
      checking.push(answer)
      return answer
    }
    const counted = {
      findCommand: (...args: Parameters<Store['findCommand']>) => {
        statements.reads += 1
        return store.findCommand(...args)
      },
      findCommands: (keys: Parameters<Store['findCommands']>[0]) => {
        rereads.push(keys.length)
        return track(store.findCommands(keys))
      },
      findChanged: (known: Parameters<Store['findChanged']>[0]) => {
        statements.checks.push(known.length)
        return track(store.findChanged(known))
      },
    }
    const queuePlaceOf = createQueuePlaces({ store })
    const records = createCommandRecords({
      store: counted,
      fileUrls,
      queuePlaceOf,
      clock,
      rememberMs,
    })
    const running = async () => {
      const command = newCommand(accountId)
      const podUid = newId()
      await store.importCommand({ ...command, resourceUid: newId() })
      await admitWaiting(store, accountId)
      await store.claimAttempt({ commandId: command.commandId, round: 1, podUid })
      return { commandId: command.commandId, podUid }
    }
    const percentOf = async (commandId: string) =>
      (await records.read(accountId, commandId))?.command.progressPercent
    const report = (one: { commandId: string; podUid: string }, progressPercent: number) =>
      store.storeProgress({ ...progressOf(one.commandId, one.podUid), progressPercent, logs: [] })
    return {
      accountId,
      records,
      statements,
      rereads,
      running,
      percentOf,
      report,
      pass: (ms: number) => (nowMs += ms),
      /** The next prefetch, if there were enough polls for one. */
      prefetch: async () => {
        timers.shift()?.()
        // The check of the versions, then the read of what has changed.
        for (let step = 0; step < 2; step += 1) {
          await Promise.allSettled(checking.splice(0))
          await setImmediate()
        }
      },
    }
  }

  it('answers from the cache until its TTL ends, then checks the version', async () => {
    const { statements, running, percentOf, report, pass } = await setUp()
    const one = await running()
    await report(one, 10)
    expect(await percentOf(one.commandId)).to.equal(10)
    pass(199)
    await percentOf(one.commandId)
    expect(statements).to.deep.equal({ reads: 1, checks: [] })
    pass(1)
    await percentOf(one.commandId)
    expect(statements).to.deep.equal({ reads: 1, checks: [1] })
    await report(one, 20)
    pass(199)
    expect(await percentOf(one.commandId)).to.equal(10)
    pass(1)
    expect(await percentOf(one.commandId)).to.equal(20)
    expect(statements).to.deep.equal({ reads: 2, checks: [1, 1] })
  })

  it('reads once for concurrent polls of a command, and checks all versions in one statement', async () => {
    const { statements, running, percentOf, pass } = await setUp()
    const all = [await running(), await running(), await running()]
    const poll = () =>
      Promise.all(Array.from({ length: 30 }, (_, at) => percentOf(all[at % 3]?.commandId ?? '')))
    await poll()
    expect(statements).to.deep.equal({ reads: 3, checks: [] })
    pass(200)
    await poll()
    expect(statements).to.deep.equal({ reads: 3, checks: [3] })
  })

  /** Three commands, of which two are polled so often that they are prefetched. */
  async function setUpPolled() {
    const known = await setUp()
    const { running, percentOf, pass, statements } = known
    const [one, other, left] = [await running(), await running(), await running()]
    for (const { commandId } of [left, other, one]) await percentOf(commandId)
    pass(900)
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => percentOf([one, other][at % 2]?.commandId ?? '')),
    )
    statements.checks = []
    return { ...known, one, other }
  }

  it('prefetches the versions of recently polled commands and those that have changed, while polls are frequent', async () => {
    const { one, other, statements, rereads, percentOf, report, pass, prefetch } =
      await setUpPolled()
    pass(150)
    await report(one, 40)
    expect(await percentOf(one.commandId)).to.equal(null)
    await prefetch()
    expect(statements).to.deep.equal({ reads: 3, checks: [2] })
    expect(rereads).to.deep.equal([1])
    pass(150)
    expect(await percentOf(other.commandId)).to.equal(null)
    expect(await percentOf(one.commandId)).to.equal(40)
    expect(statements).to.deep.equal({ reads: 3, checks: [2] })
  })

  it('keeps what a poll reads while a prefetch reads it too', async () => {
    const { one, statements, percentOf, report, pass, prefetch } = await setUpPolled()
    await report(one, 40)
    // The TTL ends, so that the poll reads while the prefetch is under way.
    pass(200)
    const prefetched = prefetch()
    const polled = percentOf(one.commandId)
    await Promise.all([prefetched, polled])
    expect(await polled).to.equal(40)
    expect(await percentOf(one.commandId)).to.equal(40)
    expect(statements.reads).to.equal(4)
  })

  it('does not bring back by a prefetch what it has invalidated', async () => {
    const { accountId, records, one, percentOf, report, prefetch } = await setUpPolled()
    await report(one, 40)
    const prefetched = prefetch()
    records.forget(accountId, one.commandId)
    await report(one, 60)
    await prefetched
    expect(await percentOf(one.commandId)).to.equal(60)
  })

  it('does not prefetch while polls are rare', async () => {
    const { statements, running, percentOf, prefetch } = await setUp()
    const { commandId } = await running()
    for (let poll = 0; poll < 9; poll += 1) await percentOf(commandId)
    await prefetch()
    expect(statements).to.deep.equal({ reads: 1, checks: [] })
  })

  it('invalidates on its own writes, also during a read', async () => {
    const { accountId, records, running, percentOf, report } = await setUp()
    const one = await running()
    await percentOf(one.commandId)
    await report(one, 30)
    records.forget(accountId, one.commandId)
    expect(await percentOf(one.commandId)).to.equal(30)
    records.forget(accountId, one.commandId)
    const underWay = percentOf(one.commandId)
    await report(one, 60)
    records.forgetAccount(accountId)
    await underWay
    expect(await percentOf(one.commandId)).to.equal(60)
  })

  it('detects that another process deleted an output', async () => {
    const { accountId, records, running, pass } = await setUp()
    const { commandId, podUid } = await running()
    const file = newFile(commandId)
    const outcome = { status: 'SUCCESS' as const, files: [file] }
    await store.commitOutcome(commitOf(commandId, podUid, outcome))
    const deletedAt = async () =>
      (await records.read(accountId, commandId))?.command.files[0]?.deletedAt
    expect(await deletedAt()).to.equal(null)
    const deletion = 'update files set deleted_at = now() where file_id = $1'
    await store.query('delete_file', deletion, [file.fileId])
    pass(200)
    expect(await deletedAt()).to.be.instanceOf(Date)
  })

  it('updates the queue position although the row does not change', async () => {
    const { accountId, records, pass } = await setUp()
    const [first, second] = [newCommand(accountId), newCommand(accountId)]
    await store.insertCommands([first])
    await store.insertCommands([second])
    const place = async () =>
      (await records.read(accountId, second.commandId))?.command.queuePosition
    expect(await place()).to.equal(2)
    await store.commitOutcome(commitOf(first.commandId, null, failed('CANCELLED')))
    pass(200)
    expect(await place()).to.equal(1)
  })

  it('keeps the records of accounts apart', async () => {
    const { records, accountId, running } = await setUp()
    const { commandId } = await running()
    expect(await records.read(accountId, commandId)).not.to.equal(null)
    expect(await records.read(newId(), commandId)).to.equal(null)
  })

  it('reads the database on every poll when the cache is disabled', async () => {
    const { statements, running, percentOf } = await setUp(0)
    const { commandId } = await running()
    await Promise.all([percentOf(commandId), percentOf(commandId)])
    expect(statements).to.deep.equal({ reads: 2, checks: [] })
  })

  it('returns a record that is never older than its TTL, its own writes or an earlier answer', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('report' as const), own: fc.boolean() }),
      fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 150 }) }),
      fc.record({ kind: fc.constant('poll' as const), times: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ kind: fc.constant('prefetch' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { accountId, records, running, percentOf, report, pass, prefetch } = await setUp()
        const one = await running()
        let nowMs = 0
        let own = 0
        let seen = 0
        const written = [{ atMs: -1_000, percent: 0 }]
        for (const each of steps) {
          if (each.kind === 'prefetch') await prefetch()
          else if (each.kind === 'pass') {
            pass(each.ms)
            nowMs += each.ms
          } else if (each.kind === 'report') {
            const percent = written.length
            await report(one, percent)
            written.push({ atMs: nowMs, percent })
            if (each.own) {
              records.forget(accountId, one.commandId)
              own = percent
            }
          } else {
            const shown = await Promise.all(
              Array.from({ length: each.times }, () => percentOf(one.commandId)),
            )
            const due = written.findLast(({ atMs }) => atMs <= nowMs - 200)?.percent ?? 0
            for (const percent of shown) {
              expect(percent ?? 0).to.be.at.least(Math.max(due, own, seen))
              seen = percent ?? 0
            }
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})
