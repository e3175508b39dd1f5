import { expect } from 'chai'
import { logKey } from '../../../common/domain/storage-keys.ts'
import { newCommand, newId } from '../../../testing/store-contract/fixtures.ts'
import { useResource } from '../../../testing/support/mocha.ts'
import { crashAt, openRetention } from './retention.fixture.ts'

describe('the retention', () => {
  before(function () {
    this.timeout(600_000)
  })
  const test = useResource(openRetention)
  // The accounts of earlier tests are not visited again.
  beforeEach(() => test.query('done', `update accounts set retention_at = 'infinity'`))
  const due = () =>
    test.query('due', `update accounts set retention_at = null where retention_at < 'infinity'`)
  /** Enough for all steps of all accounts. */
  const passes = async () => {
    await due()
    for (let count = 0; count < 3; count += 1) await test.pass()
  }
  const exists = async (key: string) => (await test.objects.head(key)) !== null

  it('empties originals, deletes logs, then records, each after its own days', async () => {
    const accountId = await test.newAccount()
    const commandId = await test.finished(accountId, { webhookUrl: 'https://hooks.example/a' })
    const log = logKey({ accountId, commandId })
    const record = () => test.store.findCommand(accountId, commandId)
    const whole = await record()
    await test.age(29)
    await passes()
    expect(await record()).to.deep.include({
      version: whole?.version,
      webhookUrl: 'https://hooks.example/a',
    })
    expect(await test.results(accountId)).to.equal(1)
    await test.deleteFiles(accountId, commandId)
    await test.sweeps()
    await test.age(2)
    await passes()
    const emptied = await record()
    expect(emptied).to.deep.include({
      originalRequest: null,
      webhookUrl: null,
      metadata: { order: 7 },
    })
    expect(emptied?.source.commands).to.deep.equal([])
    expect(emptied?.steps).to.deep.equal(whole?.steps)
    expect(emptied?.version).to.be.greaterThan(whole?.version ?? Infinity)
    expect(await exists(log)).to.equal(true)
    expect(await test.results(accountId)).to.equal(0)
    await test.age(10)
    await passes()
    expect(await exists(log)).to.equal(false)
    expect(await test.store.findLogObject(commandId)).to.equal(null)
    await test.age(48)
    await passes()
    expect(await record()).to.not.equal(null)
    await test.age(2)
    await passes()
    expect(await record()).to.equal(null)
    const list = { accountId, status: null, limit: 10, offset: 0 }
    expect(await test.store.listCommands(list)).to.deep.equal([])
    const left = await test.query('left', 'select from attempts where command_id = $1', [commandId])
    expect(left).to.deep.equal([])
  })

  it('deletes nothing of a plan that keeps all', async () => {
    const accountId = await test.newAccount('unlimited')
    const commandId = await test.finished(accountId)
    await test.age(4_000)
    await passes()
    const record = await test.store.findCommand(accountId, commandId)
    expect(record?.originalRequest).to.not.equal(null)
    expect(await exists(logKey({ accountId, commandId }))).to.equal(true)
  })

  const keeps: [why: string, keep: string, release: string][] = [
    [
      'a file of it is listed',
      'update files set deleted_at = null, swept_at = null where command_id = $1',
      'update files set deleted_at = now(), swept_at = now() where command_id = $1',
    ],
    [
      'the objects of a deleted file are not swept',
      'update files set swept_at = null where command_id = $1',
      'update files set swept_at = now() where command_id = $1',
    ],
    [
      'the objects of an attempt are not swept',
      'update attempts set sweep_from = now(), swept_at = null where command_id = $1',
      'update attempts set swept_at = now() where command_id = $1',
    ],
    [
      'its resource exists',
      'update commands set resource_deleted_at = null where command_id = $1',
      'update commands set resource_deleted_at = now() where command_id = $1',
    ],
  ]
  for (const [why, keep, release] of keeps) {
    it(`keeps a record while ${why}, deletes those around it, and it once that has changed`, async () => {
      const accountId = await test.newAccount()
      const ids = [
        await test.finished(accountId),
        await test.finished(accountId),
        await test.finished(accountId),
      ]
      for (const id of ids) await test.deleteFiles(accountId, id)
      await test.sweeps()
      const kept = ids[1] ?? ''
      const change = (sql: string) =>
        test.database.transaction(async (within) => {
          await within('quiet', `set local session_replication_role = replica`)
          await within(`change_${sql.length}_${why.length}`, sql, [kept])
        })
      await change(keep)
      await test.age(91)
      await passes()
      const left = () =>
        test.query('ids', 'select command_id as id from commands where account_id = $1', [
          accountId,
        ])
      expect(await left()).to.deep.equal([{ id: kept }])
      await change(release)
      await test.age(1)
      await passes()
      expect(await left()).to.deep.equal([])
    })
  }

  it('deletes failed files with their record days, deleted ones 30 days after their sweep, and their work', async () => {
    const accountId = await test.newAccount()
    const ids = [newId(), newId(), newId()]
    const [failedId = '', deletedId = '', storedId = ''] = ids
    for (const fileId of ids) {
      await test.store.insertStoredFile({
        fileId,
        accountId,
        environmentName: null,
        isPrivate: false,
        keepDays: null,

        webhookUrl: 'https://hooks.example/a',
        originalFileUrl: 'https://media.example/a.mov',
      })
    }
    const end = async (fileId: string, status: 'SUCCESS' | 'FAILED') => {
      await test.query(
        `end_${status}`,
        `update files set status = '${status === 'SUCCESS' ? 'STORED' : 'FAILED'}', key = file_id::text, size_bytes = 1,
           error_status = ${status === 'SUCCESS' ? 'null' : `'DOWNLOAD_ERROR'`},
           error_message = ${status === 'SUCCESS' ? 'null' : `'x'`} where file_id = $1`,
        [fileId],
      )
      await test.query(
        'end_work',
        `update commands set status = 'FAILED', error_status = 'CANCELLED', error_message = 'x',
           finished_at = now(), released_at = now() where command_id = $1`,
        [fileId],
      )
    }
    await end(failedId, 'FAILED')
    await end(deletedId, 'SUCCESS')
    await end(storedId, 'SUCCESS')
    await test.store.deleteFiles({ accountId, fileIds: [deletedId], withoutManifests: false })
    await test.sweeps()
    const present = async () => {
      const found = await Promise.all(ids.map((fileId) => test.store.findFile(accountId, fileId)))
      return found.map((file) => file !== null)
    }
    const work = () => test.query('work', 'select from commands where account_id = $1', [accountId])
    await test.age(0.5)
    await passes()
    expect(await work()).to.have.length(3)
    await test.age(1)
    await passes()
    expect(await work()).to.deep.equal([])
    expect(await present()).to.deep.equal([true, true, true])
    await test.age(29.5)
    await passes()
    expect(await present()).to.deep.equal([true, false, true])
    const stored = await test.store.findFile(accountId, storedId)
    expect(stored?.originalFileUrl).to.equal(null)
    await test.age(60)
    await passes()
    expect(await present()).to.deep.equal([false, false, true])
  })

  for (const when of ['before', 'after'] as const) {
    it(`leaves no row without its object and no object without its row when it crashes ${when} any effect`, async () => {
      let effects = 0
      for (let at = 1, met = at; met === at; at += 1) {
        effects = at - 1
        const accountId = await test.newAccount()
        const old = await test.finished(accountId)
        await test.deleteFiles(accountId, old)
        await test.sweeps()
        await test.age(50)
        const younger = await test.finished(accountId)
        await test.age(41)
        await due()
        const crash = crashAt(at, when)
        await test.pass(crash.failpoint).catch(() => undefined)
        met = crash.met() < at ? 0 : at + 1
        await passes()
        expect(await test.store.findCommand(accountId, old), `${at}`).to.equal(null)
        for (const commandId of [old, younger]) {
          expect(await exists(logKey({ accountId, commandId })), `${at}`).to.equal(false)
          expect(await test.store.findLogObject(commandId)).to.equal(null)
        }
        expect((await test.store.findCommand(accountId, younger))?.originalRequest).to.equal(null)
        await test.query('done', `update accounts set retention_at = 'infinity'`)
      }
      expect(effects).to.be.greaterThan(7)
    })
  }

  it('visits an account once a day, goes on with the others when one fails, and waits while statements are slow', async () => {
    const [one, other] = [await test.newAccount(), await test.newAccount()]
    await due()
    expect(await test.store.findDueAccounts(100)).to.have.length.greaterThan(1)
    await test.pass(undefined, () => true)
    expect((await test.store.findDueAccounts(100)).map(({ accountId }) => accountId)).to.include(
      one,
    )
    await passes()
    expect(await test.store.findDueAccounts(100)).to.deep.equal([])
    await test.age(1.5)
    await test.pass()
    expect(test.figures.due).to.be.within(43_000, 43_400)
    const fails: Parameters<typeof test.pass>[0] = async (name, effect) => {
      failed += 1
      if (failed === 1 && name === 'retention.rows_removed') throw new Error('no')
      return effect()
    }
    let failed = 0
    await due()
    await test.pass(fails)
    await test.pass()
    const left = await test.query(
      'later',
      `select from accounts where retention_at < now() + interval '1 hour'`,
    )
    expect(left).to.have.length(1)
    expect(other).to.be.a('string')
  })

  it('deletes sums of months that ended more than 13 months ago, and no others', async () => {
    const accountId = await test.newAccount('unlimited')
    await test.query(
      'months',
      `insert into usage_totals (account_id, month, bytes)
       select $1::uuid, date_trunc('month', now()) - make_interval(months => m), 1 from unnest(array[0, 13, 14]) m
       union all select $1::uuid, null, 5`,
      [accountId],
    )
    await passes()
    const left = await test.query(
      'left_months',
      'select bytes from usage_totals where account_id = $1 order by month',
      [accountId],
    )
    expect(left).to.deep.equal([{ bytes: 1 }, { bytes: 1 }, { bytes: 5 }])
  })

  it('the retention waits with a command that has not ended, and takes it in a later pass', async () => {
    const accountId = await test.newAccount()
    const command = newCommand(accountId)
    await test.store.insertCommands([command])
    await test.age(95)
    await passes()
    expect(
      (await test.store.findCommand(accountId, command.commandId))?.originalRequest,
    ).to.not.equal(null)
    await test.store.commitOutcome({
      commandId: command.commandId,
      attempt: null,
      steps: null,
      usage: null,
      logs: [],
      outcome: { status: 'FAILED', errorStatus: 'CANCELLED', errorMessage: 'x' },
    })
    await test.age(1)
    await passes()
    expect(await test.store.findCommand(accountId, command.commandId)).to.equal(null)
  })
})
