import { expect } from 'chai'
import { scaled } from '../../../testing/scale.ts'
import { openMovingDatabase } from '../../../testing/support/database.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'
import { rowsRead } from '../../../testing/support/rows/rows-read.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { findSubmissionsSql, findWaitingSql } from './find-waiting.ts'

const rows = scaled({ smoke: 20_000, full: 100_000 })
const accountCounts = scaled({ smoke: [1, 100, 2_000], full: [1, 100, 1_000, 10_000] })
const running = 500

describe('the read of a pass of admission', () => {
  let opened: TestDatabase
  beforeEach(async () => {
    opened = await openMovingDatabase()
  })
  afterEach(() => opened.close())

  it(`reads of late submissions a few rows of each account, and none of ${rows} older commands`, async () => {
    const [accounts, late] = [100, 2_000]
    const { fill } = opened
    await fill(
      `insert into accounts (account_id, name, plan)
       select gen_random_uuid(), 'a' || n, 'pro' from generate_series(1, ${accounts}) n`,
    )
    await fill('alter table commands disable trigger user')
    const dispatched = { dispatchedAt: 'now()', admittedAt: 'now()' }
    await fill(commandsOf(accounts, { count: rows, ...dispatched, endedAt: 'now()' }))
    await fill(
      `update commands set created_at = created_at - interval '1 day',
         finished_at = finished_at - interval '1 day', released_at = released_at - interval '1 day'`,
    )
    const ofLate = late / 4
    await fill(commandsOf(accounts, { count: ofLate, ...dispatched, endedAt: 'now()' }))
    await fill(commandsOf(accounts, { count: ofLate, ...dispatched }))
    await fill(commandsOf(accounts, { count: ofLate, dispatchedAt: 'now()' }))
    await fill(commandsOf(accounts, { count: ofLate }))
    await fill('vacuum analyze')
    const read = await rowsRead(opened.database, findSubmissionsSql.replaceAll('$1', '1800'))
    expect(read).to.be.at.most(accounts + 2 * late)
    const store = createPostgresStore(opened.database)
    const found = await store.findSubmissions({ withinSeconds: 1_800 })
    expect(new Set(found.map(({ accountId }) => accountId)).size).to.equal(accounts)
    const ages = found.map(({ secondsAgo }) => secondsAgo)
    expect(Math.max(...ages)).to.be.below(1_800)
  })

  for (const accounts of accountCounts) {
    it(`reads rows in proportion to the accounts when ${accounts} of them have ${rows} commands`, async () => {
      const { fill } = opened
      // Others have no command: they must cost nothing.
      await fill(
        `insert into accounts (account_id, name, plan)
         select gen_random_uuid(), 'a' || n, 'pro' from generate_series(1, ${accounts + 5_000}) n`,
      )
      await fill('insert into account_shares (account_id) select account_id from accounts')
      // They count the commands of lists, which costs more than the rows.
      await fill('alter table commands disable trigger user')
      await fill(commandsOf(accounts, { count: rows, dispatchedAt: 'now()' }))
      await fill(
        commandsOf(accounts, { count: running, dispatchedAt: 'now()', admittedAt: 'now()' }),
      )
      const ended = { dispatchedAt: 'now()', admittedAt: 'now()', endedAt: 'now()' }
      await fill(commandsOf(accounts, { count: rows, ...ended }))
      await fill(commandsOf(accounts, { count: rows }))
      await fill('vacuum analyze')
      const read = await rowsRead(opened.database, findWaitingSql.replace('$1', '16'))
      expect(read).to.be.at.most(40 * accounts + 2 * running)
      const found = await createPostgresStore(opened.database).findWaiting({ heads: 16 })
      expect(found).to.have.length(accounts)
      expect(found.flatMap((account) => account.running)).to.have.length(running)
      for (const { waiting } of found) expect(waiting.length).to.be.within(1, 32)
    })
  }
})

/** Every fifth is work on a stored file; they go round the accounts. */
function commandsOf(
  accounts: number,
  {
    count,
    dispatchedAt = 'null',
    admittedAt = 'null',
    endedAt = 'null',
  }: { count: number; dispatchedAt?: string; admittedAt?: string; endedAt?: string },
): string {
  return `
    insert into commands (command_id, account_id, command_type, source, original_request,
      vcpu_count, max_run_seconds, is_private, created_at, steps, dispatched_at, admitted_at,
      round, finished_at, released_at, status, error_status, error_message)
    select gen_random_uuid(), a.account_id,
      case when n % 5 = 0 then 'STORED_FILE' else 'FFMPEG_COMMAND' end, '{}', '{}',
      case when n % 5 = 0 then 0 else 2 end, 60, false, now() - make_interval(secs => n), '[]',
      ${dispatchedAt}, ${admittedAt}, ${admittedAt === 'null' ? 0 : 1}, ${endedAt}, ${endedAt},
      ${endedAt === 'null' ? `'QUEUED', null, null` : `'FAILED', 'CANCELLED', 'cancelled'`}
    from generate_series(1, ${count}) n
    join (select account_id, row_number() over (order by name) as place
      from accounts where substr(name, 2)::integer <= ${accounts}) a
      on a.place = (n / 5) % ${accounts} + 1`
}
