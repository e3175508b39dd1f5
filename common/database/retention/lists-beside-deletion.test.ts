import { expect } from 'chai'
import fc from 'fast-check'
import { useStore } from '../../../testing/support/database.ts'
import { changes, newAccount, runChange, submit } from '../lists/changes.fixture.ts'
import { comparePages } from '../lists/compare-pages.fixture.ts'
import { miscounted } from '../lists/miscounted.ts'
import type { Query } from '../connection/query.ts'

/** A deletion beside the writers of the fixture. */
type Deletion = {
  readonly kind: 'ends' | 'old end' | 'middle' | 'empty buckets'
  readonly account: number
  readonly nth: number
  readonly count: number
}

const deletions: fc.Arbitrary<Deletion> = fc.record({
  kind: fc.constantFrom('ends', 'ends', 'old end', 'old end', 'middle', 'empty buckets'),
  account: fc.nat({ max: 1 }),
  nth: fc.nat({ max: 4 }),
  count: fc.integer({ min: 2, max: 8 }),
})

describe('lists beside the deletion of records', () => {
  const store = useStore()
  const query: Query = (...statement) => store.query(...statement)
  before(async () => {
    // Small buckets, so that a short history empties them and whole groups.
    await query('smaller', resized('list_bucket_rows', 3))
    await query('smaller', resized('list_group_buckets', 2))
  })

  const removePage = async (accountId: string, limit: number, days: number) => {
    const expired = {
      accountId,
      kind: 'records' as const,
      days,
      limit,
      restartAfterSeconds: 0,
    }
    return store.removeExpired(expired, await store.findExpired(expired))
  }
  const removeAll = async (accountId: string) => {
    while ((await total(query, [accountId])) > 0) await removePage(accountId, 5, 0)
    await store.removeEmptyBuckets(accountId)
  }
  const run = async (accounts: readonly string[], { kind, account, nth, count }: Deletion) => {
    const accountId = accounts[account] ?? ''
    switch (kind) {
      case 'ends':
        // One in a statement, as commits are: the counts of an update are locked row by row.
        for (let ended = 0; ended < count; ended += 1) await query('ends', endOne, [accountId, nth])
        return 0
      case 'old end':
        return removePage(accountId, count, 30)
      case 'middle':
        return (await query('middle', deleteMiddle, [accountId, nth, count])).length
      case 'empty buckets':
        await store.removeEmptyBuckets(accountId)
        return 0
    }
  }
  const bucketsOf = (accountId: string) =>
    query<{ list: string; listed: number; first: boolean }>(
      'buckets',
      `select list, listed, after_created_at = '-infinity' as first from list_buckets
       where account_id = $1 order by list, after_created_at, after_id`,
      [accountId],
    )

  it('count what is there after each step of any history, and equal LIMIT and OFFSET', async () => {
    let deleted = 0
    let groups = 0
    const round = fc.tuple(
      fc.array(changes, { minLength: 1, maxLength: 6 }),
      fc.array(deletions, { minLength: 1, maxLength: 3 }),
    )
    const page = fc.record({ limit: fc.integer({ min: 1, max: 9 }), offset: fc.nat({ max: 30 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(round, { minLength: 2, maxLength: 10 }),
        fc.array(page, { minLength: 1, maxLength: 3 }),
        async (rounds, pages) => {
          const accounts = [await newAccount(query), await newAccount(query)]
          for (const account of [0, 1]) {
            const of = [0, 3, 6, 9, 12, 0, 3, 6].map((age) => ({ account, age }))
            for (let count = 0; count < 3; count += 1) {
              await runChange(store.database, accounts, { kind: 'submit', of })
            }
          }
          for (const [written, removed] of rounds) {
            const [removals] = await Promise.all([
              Promise.all(removed.map((one) => run(accounts, one))),
              ...written.map((change) => runChange(store.database, accounts, change)),
            ])
            expect(await miscounted(query, accounts)).to.deep.equal([])
            deleted += removals.reduce((sum, rows) => sum + rows, 0)
          }
          for (const accountId of accounts) {
            groups += (
              await query('groups', 'select from list_groups where account_id = $1', [accountId])
            ).length
            for (const one of pages) await comparePages(query, { accountId, ...one })
            await query('end', endAll, [accountId])
            await query('sweep', sweepAll, [accountId])
            await removeAll(accountId)
            expect(await miscounted(query, [accountId])).to.deep.equal([])
            await comparePages(query, { accountId, limit: 9, offset: 0 })
            expect(await total(query, [accountId])).to.equal(0)
          }
        },
      ),
      // A history of this size takes long to shrink.
      { numRuns: 20, endOnFailure: true },
    )
    expect(deleted, 'rows deleted beside writers').to.be.greaterThan(5)
    expect(groups, 'groups beside deletions').to.be.greaterThan(5)
  })

  it('keep the open bucket and that with the lowest key, and no other without a row', async () => {
    const accountId = await newAccount(query)
    for (let count = 0; count < 10; count += 1) await submit(query, accountId, 3)
    expect(await bucketsOf(accountId)).to.have.length.greaterThan(8)
    await query('end', endAll, [accountId])
    await removeAll(accountId)
    expect(await bucketsOf(accountId)).to.deep.equal([
      { list: 'commands', listed: 0, first: true },
      { list: 'commands', listed: 0, first: false },
    ])
    const groups = await query(
      'group_counts',
      'select listed from list_groups where account_id = $1 order by after_created_at',
      [accountId],
    )
    expect(groups).to.deep.equal([{ listed: 0 }])
    await submit(query, accountId, 7)
    expect(await miscounted(query, [accountId])).to.deep.equal([])
    await comparePages(query, { accountId, limit: 4, offset: 2 })
  })
})

async function total(query: Query, accounts: readonly string[]): Promise<number> {
  const [row] = await query<{ count: number }>(
    'total',
    `select count(*)::integer from commands where account_id = any($1::uuid[])`,
    [accounts],
  )
  return row?.count ?? 0
}

const deleteMiddle = `
  delete from commands where command_id in (
    select command_id from commands c
    where account_id = $1 and finished_at is not null
      and not exists (select from files f where f.command_id = c.command_id)
    order by command_id offset $2 limit $3 for update skip locked
  ) returning command_id`
const endOne = `
  update commands set status = 'FAILED', stage = null, finished_at = now(),
    progress_percent = null, error_status = 'CANCELLED', error_message = 'Cancelled'
  where command_id in (
    select command_id from commands where account_id = $1 and finished_at is null
    order by command_id offset $2 limit 1 for update skip locked
  )`
const endAll = `
  update commands set status = 'FAILED', stage = null, finished_at = now(),
    progress_percent = null, error_status = 'CANCELLED', error_message = 'Cancelled'
  where account_id = $1 and finished_at is null`
const sweepAll = `
  update files set deleted_at = coalesce(deleted_at, now()), swept_at = now() where account_id = $1`

function resized(constant: string, value: number): string {
  return `create or replace function ${constant}() returns integer immutable language sql
    return ${value}`
}
