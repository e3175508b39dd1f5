import { expect } from 'chai'
import { scaled } from '../../../testing/scale.ts'
import { openMovingDatabase } from '../../../testing/support/database.ts'
import { rowsRead, rowsReadBy } from '../../../testing/support/rows/rows-read.ts'
import { systemEffects } from '../../runtime/system-effects.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { accountDeletion } from './account-deletion.ts'
import { expiredPages } from './find-expired.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'
import type { RetentionKind } from '../../store/retention/retention.ts'

const rows = scaled({ smoke: 20_000, full: 200_000 })
const accountId = systemEffects().newId()
const pageRows = 1_000

describe('statements of the retention', () => {
  let opened: TestDatabase
  before(async function () {
    this.timeout(600_000)
    opened = await openMovingDatabase()
    const { fill } = opened
    // Triggers count the rows of lists, which takes longer than the rows themselves.
    for (const table of ['commands', 'files']) {
      await fill(`alter table ${table} disable trigger user`)
    }
    await fill(
      `insert into accounts (account_id, name, plan, retention_at)
       select gen_random_uuid(), 'a' || n, 'pro', now() + interval '1 hour'
       from generate_series(1, 5000) n union all select '${accountId}', 'own', 'pro', null`,
    )
    await fill(
      `insert into commands (
         command_id, account_id, command_type, source, original_request, vcpu_count,
         max_run_seconds, is_private, steps, created_at, status, error_status, error_message,
         finished_at, released_at
       ) select gen_random_uuid(), '${accountId}', case when n % 5 = 0 then 'STORED_FILE' else
           'FFMPEG_COMMAND' end, '{}', '{}', case when n % 5 = 0 then 0 else 1 end, 60, false, '[]',
         now() - interval '100 days' + n * interval '10 seconds', 'FAILED', 'CANCELLED', 'x',
         now() - interval '60 days', now() from generate_series(1, ${rows}) n`,
    )
    await fill(
      `insert into files (
         file_id, account_id, is_private, store_type, status, key, size_bytes, original_file_url,
         created_at, deleted_at, swept_at, error_status, error_message
       ) select gen_random_uuid(), '${accountId}', false, 'STORED_FILE', f.status, n::text, 1,
         'https://media.example/a', now() - interval '100 days' + n * interval '10 seconds',
         case when n % 3 = 1 then now() end, case when n % 3 < 2 then now() - interval '31 days' end,
         case f.status when 'FAILED' then 'CANCELLED' end, case f.status when 'FAILED' then 'x' end
       from generate_series(1, ${rows}) n,
         lateral (select case when n % 3 = 0 then 'FAILED' else 'STORED' end as status) f`,
    )
    for (const table of ['commands', 'files']) {
      await fill(`alter table ${table} enable trigger user`)
    }
    await fill('vacuum analyze')
  })
  after(() => opened.close())

  const literals = (statement: string, values: readonly string[]) =>
    statement.replaceAll(/\$(\d)/g, (_, number: string) => values[Number(number) - 1] ?? 'null')

  for (const kind of ['logs', 'originals', 'file-originals', 'records'] as RetentionKind[]) {
    it(`the statements of the retention read a page of ${kind} by its rows at the old end and in the middle`, async () => {
      for (const days of [99, 98]) {
        const from = `(now() - interval '${days} days')::text`
        const values = [`'${accountId}'`, from, `'${accountId}'`, '30', `${pageRows}`]
        const statement = literals(expiredPages[kind].statement, values)
        const read = await rowsRead(opened.database, statement)
        // The page itself, its rows once more by key, and what refers to them.
        expect(read, `${days}`).to.be.at.most(5 * pageRows)
      }
    })
  }

  it('the retention finds due accounts, work on files and old files in proportion to what it returns', async () => {
    const store = createPostgresStore(opened.database)
    expect(await store.findDueAccounts(50)).to.have.length(1)
    const due = await rowsRead(
      opened.database,
      `select account_id from accounts
       where (retention_at is null or retention_at <= now()) and deleting_at is null
       order by retention_at nulls first limit 50`,
    )
    expect(due).to.be.at.most(60)
    const [plan] = await opened.database.query(
      'scans',
      `select pg_stat_get_numscans('accounts_by_retention'::regclass)::integer as scans`,
    )
    expect(plan).to.have.property('scans')
    const work = { accountId, olderThanSeconds: 86_400, limit: 100 }
    expect(await store.findFileWork(work)).to.have.length(100)
    expect(await store.removeFileRecords({ accountId, days: 30, limit: 100 })).to.equal(100)
  })

  it('the statements of the retention find out whether an account is empty without reading the rows of others', async () => {
    const empty = systemEffects().newId()
    const read = await rowsReadBy(opened.database, (explaining) =>
      // Without a row it cannot answer, but it has been explained.
      accountDeletion(explaining).isAccountEmpty(empty),
    )
    expect(read).to.be.at.most(10)
  })
})
