import { expect } from 'chai'
import { newCommand, newId, queuedStep } from '../../../testing/store-contract/fixtures.ts'
import { useResource } from '../../../testing/support/mocha.ts'
import { crashAt, openRetention } from './retention.fixture.ts'

/** Tables that have nothing of an account. */
const withoutAccounts = [
  'database_history',
  'installation',
  'admin_actions',
  'dispatch_key',
  'applied_migrations',
  'client_rates',
]

describe('the deletion of an account', () => {
  before(function () {
    this.timeout(600_000)
  })
  const test = useResource(openRetention)

  /** One row at least in each table that can have one. */
  async function fill(accountId: string): Promise<string[]> {
    const { store, query } = test
    const done = await test.finished(accountId)
    const [running, waiting] = [newCommand(accountId), newCommand(accountId)]
    await store.insertCommands([running, waiting])
    await store.markDispatched(running.commandId, newId())
    await query(
      'admit_running',
      `update commands set admitted_at = now(), round = 1 where command_id = $1`,
      [running.commandId],
    )
    const pod = newId()
    await store.claimAttempt({ commandId: running.commandId, jobGeneration: 1, podUid: pod })
    const prefix = `public/${accountId}/${running.commandId}/${pod}/`
    await store.recordUpload({
      commandId: running.commandId,
      attempt: pod,
      key: `${prefix}o.mp4`,
      uploadId: newId(),
    })
    await test.put(`${prefix}o.mp4`)
    await store.storeProgress({
      commandId: running.commandId,
      attempt: pod,
      status: 'PROCESSING',
      stage: 'FFMPEG_PROCESSING',
      progressPercent: 5,
      steps: [queuedStep],
      logs: [{ step: 0, sequence: 0, text: 'frame=1' }],
    })
    const file = { accountId, environmentName: null, isPrivate: false, webhookUrl: null }
    const [fetched, uploaded] = [newId(), newId()]
    await store.insertStoredFile({
      ...file,
      fileId: fetched,
      originalFileUrl: 'https://media.example/a.mov',
    })
    await store.openUpload({
      ...file,
      fileId: uploaded,
      originalFileUrl: 'a.mp4',
      key: `public/${accountId}/${uploaded}/a.mp4`,
      sizeBytes: 1,
      partBytes: 5_242_880,
      beginSeconds: 600,
    })
    await test.put(`private/${accountId}/forgotten.json`)
    await store.claimIdempotencyKey({
      accountId,
      key: 'k',
      fingerprint: Buffer.alloc(32),
      resourceId: newId(),
      leaseSeconds: 60,
    })
    await store.takeTokens({ accountId, group: 'submissions', perMinute: 10, tokens: 1 })
    for (const statement of [
      `update webhooks set url = 'https://hooks.example/' || account_id where account_id = $1`,
      `insert into webhook_deliveries (account_id, event, file_id, url)
       values ($1, 'file.stored', gen_random_uuid(), 'https://hooks.example')`,
      `insert into account_shares (account_id) values ($1) on conflict do nothing`,
      `insert into retention_walks (account_id, kind) values ($1, 'logs')`,
      `with r as (
         insert into registrations (registration_id, email)
         select gen_random_uuid(), email from accounts where account_id = $1 returning registration_id
       ) insert into activation_tokens select sha256(uuid_send(gen_random_uuid())), registration_id from r`,
      `insert into usage_totals values ($1, date_trunc('month', now()), 1)`,
      `insert into deleted_accounts (account_id) values ($1)`,
      `insert into pauses (what, account_id, why) values ('account', $1, 'maintenance')`,
      `insert into orphans (account_id, owner_id, objects, bytes) values ($1, gen_random_uuid(), 1, 1)`,
      `insert into reservation_changes (account_id, bytes, output_bytes) values ($1, 1, 1)`,
      `insert into reservations (account_id, bytes, output_bytes) values ($1, 1, 1)`,
    ]) {
      await query(`fill_${statement.slice(0, 50)}`, statement, [accountId])
    }
    return [accountId, done, running.commandId, waiting.commandId, fetched, uploaded, pod]
  }

  /** Tables with a row in which one of the ids or addresses stands. */
  async function tablesWith(words: readonly string[]): Promise<string[]> {
    const tables = await test.query<{ name: string }>(
      'tables',
      `select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    )
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await test.query(
          `words_${name}`,
          `select from "${name}" t where exists (
             select from unnest($1::text[]) word where strpos(t::text, word) > 0
           )${(await referring(name)).map((condition) => ` or ${condition}`).join('')} limit 1`,
          [words],
        )
        return rows.length > 0 ? [name] : []
      }),
    )
    return found.flat()
  }
  /** Rows of a table that refers to another one with such rows, such as a token of a registration. */
  async function referring(table: string): Promise<string[]> {
    const references = await test.query<{ column: string; of: string; key: string }>(
      'references',
      `select a.attname as column, c.confrelid::regclass::text as of, b.attname as key
       from pg_constraint c
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
       where c.contype = 'f' and c.conrelid = $1::regclass order by c.conname`,
      [table],
    )
    return references.map(
      ({ column, of, key }) => `"${column}" in (
        select "${key}" from ${of} p where exists (
          select from unnest($1::text[]) word where strpos(p::text, word) > 0
        )
      )`,
    )
  }

  /** Does the work of the other parts of the operator: runners end, resources and objects go. */
  async function othersWork(accountId: string): Promise<void> {
    const rows = await test.query<{ id: string; attempt: string | null }>(
      'unended',
      `select command_id as id, attempt from commands
       where account_id = $1 and finished_at is null and cancel_requested`,
      [accountId],
    )
    const outcome = { status: 'FAILED', errorStatus: 'CANCELLED', errorMessage: 'x' } as const
    for (const { id, attempt } of rows) {
      await test.store.commitOutcome({
        commandId: id,
        attempt,
        outcome,
        steps: null,
        usage: null,
        logs: [],
      })
    }
    await test.query(
      'settled',
      `update commands set released_at = coalesce(released_at, now()),
         resource_deleted_at = case when dispatched_at is not null then now() end
       where account_id = $1 and finished_at is not null`,
      [accountId],
    )
    await test.query('overdue', `update attempts set sweep_from = sweep_from - interval '1 hour'`)
    await test.sweeps()
    await test.store.foldUsage(1_000)
  }
  async function untilDeleted(accountId: string): Promise<void> {
    for (let pass = 0; pass < 4; pass += 1) {
      await test.pass()
      await othersWork(accountId)
    }
  }
  const reportOf = async (accountId: string) => {
    const [report] = await test.query(
      'report',
      'select done_at is not null as done, rows, objects from deleted_accounts where account_id = $1',
      [accountId],
    )
    return report
  }

  it('the deletion leaves a row of the account in no table but its report, and no object', async () => {
    const accountId = await test.newAccount()
    const beside = await test.newAccount()
    const kept = await test.finished(beside)
    const words = await fill(accountId)
    const tables = await tablesWith(words)
    const all = await test.query<{ name: string }>(
      'all_tables',
      `select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    )
    expect(
      all.map(({ name }) => name).filter((name) => !tables.includes(name)),
      'a new table must be filled by this test and emptied by the deletion',
    ).to.have.members(withoutAccounts)
    await test.store.beginAccountDeletion(accountId)
    await untilDeleted(accountId)
    expect(await tablesWith(words)).to.deep.equal(['deleted_accounts'])
    expect(await reportOf(accountId))
      .to.deep.include({ done: true })
      .and.to.not.include({ rows: 0 })
    for (const visibility of ['public', 'private']) {
      expect(await test.objects.deletePrefix(`${visibility}/${accountId}/`)).to.equal(0)
    }
    expect(await test.store.findCommand(beside, kept)).to.not.equal(null)
    expect(await test.keysOf(beside)).to.have.length(2)
  })

  it('disables keys at once and permanently, forgets address and webhook, and cancels without an event', async () => {
    const accountId = await test.newAccount()
    const hash = Buffer.from(accountId.replaceAll('-', '0').padEnd(64, '0').slice(0, 64), 'hex')
    expect(await test.store.findKey(hash)).to.not.equal(null)
    const own = { ...newCommand(accountId), webhookUrl: 'https://hooks.example/own' }
    await test.store.insertCommands([own])
    await test.store.beginAccountDeletion(accountId)
    expect(await test.store.findKey(hash)).to.equal(null)
    await test.query('enabled', 'update api_keys set disabled = false where account_id = $1', [
      accountId,
    ])
    expect(await test.store.findKey(hash)).to.equal(null)
    const [account] = await test.store.listAccounts(accountId)
    expect(account).to.deep.include({ email: null, suspended: true })
    expect(account?.deletingAt).to.be.instanceOf(Date)
    await test.store.changeAccount(accountId, { suspended: false })
    expect((await test.store.listAccounts(accountId))[0]?.suspended).to.equal(true)
    await test.query('stop', `update attempts set sweep_from = now() where command_id = $1`, [
      own.commandId,
    ])
    await test.pass()
    const events = await test.query(
      'events',
      'select from webhook_deliveries where account_id = $1',
      [accountId],
    )
    expect(events).to.deep.equal([])
    expect(test.figures.deletion).to.be.greaterThan(0)
  })

  it('lets custom resources of the account go without the usual stay', async () => {
    const accountId = await test.newAccount()
    const commandId = await test.finished(accountId)
    await test.query(
      'exists',
      `update commands set resource_deleted_at = null, mirrored_at = now() - interval '1 minute' where command_id = $1`,
      [commandId],
    )
    const find = () =>
      test.store.findCollectable({
        olderThanSeconds: 60,
        keepNewest: 500,
        keepSeconds: 3_600,
        limit: 10,
        except: [],
        // The annotation does not hold up the deletion of an account.
        kept: [commandId],
      })
    expect(await find()).to.deep.equal([])
    await test.store.beginAccountDeletion(accountId)
    expect(await find()).to.deep.equal([commandId])
  })

  it('the deletion waits for a runner, a resource and a sweep, and does not delete the account before', async () => {
    const accountId = await test.newAccount()
    await fill(accountId)
    await test.store.beginAccountDeletion(accountId)
    for (let pass = 0; pass < 3; pass += 1) await test.pass()
    const [account] = await test.store.listAccounts(accountId)
    expect(account?.accountId).to.equal(accountId)
    const statuses = await test.query(
      'statuses',
      `select status, cancel_requested as cancelled from commands
       where account_id = $1 and finished_at is null`,
      [accountId],
    )
    expect(statuses).to.deep.equal([{ status: 'PROCESSING', cancelled: true }])
    await untilDeleted(accountId)
    expect(await test.store.listAccounts(accountId)).to.deep.equal([])
  })

  for (const when of ['before', 'after'] as const) {
    it(`the deletion ends the same when it crashes ${when} any effect`, async () => {
      let effects = 0
      for (let at = 1, met = at; met === at; at += 1) {
        effects = at - 1
        const accountId = await test.newAccount()
        const words = await fill(accountId)
        await test.store.beginAccountDeletion(accountId)
        const crash = crashAt(at, when)
        for (let pass = 0; pass < 4; pass += 1) {
          await test.pass(crash.failpoint).catch(() => undefined)
          await othersWork(accountId)
        }
        met = crash.met() < at ? 0 : at + 1
        await untilDeleted(accountId)
        expect(await tablesWith(words), `${at}`).to.deep.equal(['deleted_accounts'])
        expect(await reportOf(accountId)).to.deep.include({ done: true })
      }
      expect(effects).to.be.greaterThan(10)
    })
  }
})
