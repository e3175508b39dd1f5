import { newId } from '../../store-contract/fixtures.ts'
import { useStore } from '../database.ts'
import type { TestStore } from '../database.ts'

const perInsert = 4_000

/** @param sql with $1 = the account, and $2 to $3 = the numbers of the rows of one statement */
type InsertRows = (name: string, count: number, sql: string) => Promise<void>

/**
 * A store for a `describe` in which two accounts have the same rows: a read of one account's rows that reads the
 * other's, too, is seen in its count.
 * @param fill called for each account
 * @param then what the database needs besides, before it is analysed
 */
export function useManyRows(
  fill: (insert: InsertRows) => Promise<void>,
  then: (store: TestStore) => Promise<unknown> = () => Promise.resolve(),
): { readonly store: TestStore; readonly accountId: string } {
  const store = useStore()
  const accountId = newId()
  before(async () => {
    for (const id of [accountId, newId()]) {
      await store.ensureAccount({ accountId: id, name: `a${id}`, plan: 'pro' })
      await fill(async (name, count, sql) => {
        for (let from = 1; from <= count; from += perInsert) {
          await store.query(name, sql, [id, from, Math.min(count, from + perInsert - 1)])
        }
      })
    }
    await then(store)
    await store.query('analyze', 'analyze')
  })
  return { store, accountId }
}
