import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { useStore } from '../../../testing/support/database.ts'
import { listCommands } from '../commands/command-records.ts'
import { changes, newAccount, runChange, submit } from './changes.fixture.ts'
import { comparePages } from './compare-pages.fixture.ts'
import { miscounted } from './miscounted.ts'
import type { Query } from '../connection/query.ts'

describe('lists by offset', () => {
  const test = useStore()
  const query: Query = (...statement) => test.query(...statement)
  before(async () => {
    // Small buckets, so that a short history splits them and creates groups.
    await query('smaller', resized('list_bucket_rows', 3))
    await query('smaller', resized('list_group_buckets', 2))
  })

  it('equal LIMIT and OFFSET after any history of concurrent transactions', async () => {
    const history = fc.array(fc.array(changes, { minLength: 1, maxLength: 8 }), {
      minLength: 1,
      maxLength: 12,
    })
    const page = fc.record({ limit: fc.integer({ min: 1, max: 9 }), offset: fc.nat({ max: 40 }) })
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(page, { minLength: 1, maxLength: 3 }),
        async (rounds, pages) => {
          const accounts = [await newAccount(query), await newAccount(query)]
          for (const round of rounds) {
            await Promise.all(round.map((change) => runChange(test.database, accounts, change)))
            expect(await miscounted(query, accounts)).to.deep.equal([])
          }
          for (const accountId of accounts) {
            for (const one of pages) await comparePages(query, { accountId, ...one })
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('show a row as soon as its transaction commits, after any time', async () => {
    const accountId = await newAccount(query)
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const slow = test.database.transaction(async (within) => {
      // Its rows are as old as this transaction.
      await within('begin_slowly', 'select 1')
      begun.resolve()
      await go.promise
      await submit(within, accountId, 2)
    })
    await begun.promise
    for (let count = 0; count < 8; count++) await submit(query, accountId, 1)
    go.resolve()
    await slow
    expect(await miscounted(query, [accountId])).to.deep.equal([])
    const all = await listCommands(query, { accountId, status: null, limit: 100, offset: 0 })
    expect(all.length).to.equal(10)
    await comparePages(query, { accountId, limit: 3, offset: 7 })
  })

  it('do not change with progress, whose updates are HOT', async () => {
    const accountId = await newAccount(query)
    await submit(query, accountId, 1)
    await runChange(test.database, [accountId], { kind: 'claim', nth: 0 })
    const versions = () =>
      query('versions', 'select xmin::text from list_buckets where account_id = $1', [accountId])
    const before = await versions()
    const hot = await test.database.transaction(async (within) => {
      const [earlier] = await within<{ hot: number }>('hot_updates', hotUpdates)
      for (let count = 0; count < 2; count++) {
        const database = { ...test.database, query: within }
        await runChange(database, [accountId], { kind: 'progress', nth: 0 })
      }
      const [all] = await within<{ hot: number }>('hot_updates', hotUpdates)
      return Number(all?.hot) - Number(earlier?.hot)
    })
    expect(hot).to.equal(2)
    expect(await versions()).to.deep.equal(before)
  })

  it('include the rows from before the migration', async () => {
    const accountId = await newAccount(query)
    await submit(query, accountId, 25)
    await query('forget', 'delete from list_buckets')
    await query('forget', 'delete from list_groups')
    await query('count', await countsOfOldRows())
    expect(await miscounted(query, [accountId])).to.deep.equal([])
    await comparePages(query, { accountId, limit: 4, offset: 11 })
  })
})

/** HOT updates of this connection, with those of earlier transactions not yet flushed to the statistics. */
const hotUpdates = `select pg_stat_get_xact_tuples_hot_updated('commands'::regclass) as hot`

function resized(constant: string, value: number): string {
  return `create or replace function ${constant}() returns integer immutable language sql
    return ${value}`
}

/** The statements of the migration that count the existing rows. */
async function countsOfOldRows(): Promise<string> {
  const migration = new URL('../migrations/0007_lists.sql', import.meta.url)
  const text = await readFile(migration, 'utf8')
  return text.slice(text.indexOf('-- What is there already'))
}
