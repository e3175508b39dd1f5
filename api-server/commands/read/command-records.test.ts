import { expect } from 'chai'
import fc from 'fast-check'
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
import type { Store } from '../../../common/store/store.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'

const fileUrls = createFileUrls({ publicBaseUrl: 'https://f.example', presign: async (key) => key })

describe('createCommandRecords', () => {
  const store = useStore()

  /** Records of one account over the real database, on a clock that moves by hand. */
  async function setUp(rememberMs = 200) {
    const accountId = await store.newAccount('pro')
    let nowMs = 0
    const clock = { monotonicMs: () => nowMs }
    const statements = { reads: 0, checks: [] as number[] }
    const counted = {
      findCommand: (...args: Parameters<Store['findCommand']>) => {
        statements.reads += 1
        return store.findCommand(...args)
      },
      findChanged: (known: Parameters<Store['findChanged']>[0]) => {
        statements.checks.push(known.length)
        return store.findChanged(known)
      },
    }
    const queuePlaceOf = createQueuePlaces({ store })
    const records = createCommandRecords({
      store: counted,
      fileUrls,
      queuePlaceOf,
      pauses: { current: () => [] },
      clock,
      rememberMs,
    })
    const running = async () => {
      const command = newCommand(accountId)
      const podUid = newId()
      await store.importCommand({ ...command, resourceUid: newId() })
      await admitWaiting(store, accountId)
      await store.claimAttempt({ commandId: command.commandId, jobGeneration: 1, podUid })
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
      running,
      percentOf,
      report,
      pass: (ms: number) => (nowMs += ms),
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
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { accountId, records, running, percentOf, report, pass } = await setUp()
        const one = await running()
        let nowMs = 0
        let own = 0
        let seen = 0
        const written = [{ atMs: -1_000, percent: 0 }]
        for (const each of steps) {
          if (each.kind === 'pass') {
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
