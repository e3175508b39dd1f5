import { expect } from 'chai'
import { dispatch } from './dispatch.ts'
import { scaled } from '../../../testing/scale.ts'
import { openMovingDatabase, useStore } from '../../../testing/support/database.ts'
import { rowsReadBy } from '../../../testing/support/rows/rows-read.ts'
import type { TestStore } from '../../../testing/support/database.ts'

const rows = scaled({ smoke: 40_000, full: 400_000 })
const claim = { limit: 64, liveLimit: 1_000, lookAhead: 16, leaseSeconds: 0, retries: true }

describe('a claim of rows to dispatch', () => {
  const store = useStore(openMovingDatabase)

  for (const accounts of [1, 100, scaled({ smoke: 2_000, full: 10_000 })]) {
    it(`reads rows by the number of accounts with work, not by the backlog, of ${accounts} accounts`, async () => {
      await fill(store, accounts)
      const read = await rowsReadBy(store.database, (explaining) =>
        dispatch(explaining).claimUndispatched(claim),
      )
      expect(read).to.be.at.most(40 * accounts + 2 * claim.limit + 200)
    })
  }
})

/** Rows of accounts in turn, of which the first account has three quarters. */
async function fill(store: TestStore, accounts: number): Promise<void> {
  await store.fill('truncate commands, accounts cascade')
  await store.fill(
    `insert into accounts (account_id, name, plan)
     select gen_random_uuid(), 'a' || n, 'free' from generate_series(1, ${accounts}) n`,
  )
  // They count the commands of lists, which costs more than the rows.
  await store.fill('alter table commands disable trigger user')
  await store.fill(
    `with numbered as (select account_id, row_number() over () as n from accounts)
     insert into commands (command_id, account_id, command_type, vcpu_count, max_run_seconds,
       is_private, source, original_request, steps, created_at)
     select gen_random_uuid(), a.account_id, 'FFMPEG_COMMAND', 2, 60, false, '{}', '{}', '[]',
       now() - make_interval(secs => i)
     from generate_series(1, ${rows}) i
     join numbered a on a.n = case when i % 4 = 0 then 1 + i % ${accounts} else 1 end`,
  )
  await store.fill('vacuum analyze')
}
