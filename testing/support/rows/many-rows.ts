import { newId } from '../../store-contract/fixtures.ts'
import { openMovingDatabase, useStore } from '../database.ts'
import type { TestStore } from '../database.ts'

/**
 * A store for a `describe` in which two accounts have the same rows: a read of one account's rows that reads the
 * other's, too, is seen in its count.
 * @param statements fill the tables; $1 = the account
 */
export function useManyRows(statements: readonly string[]): {
  readonly store: TestStore
  readonly accountId: string
} {
  const store = useStore(openMovingDatabase)
  const accountId = newId()
  before(async () => {
    for (const table of ['commands', 'files']) {
      await store.fill(`alter table ${table} disable trigger user`)
    }
    for (const id of [accountId, newId()]) {
      await store.ensureAccount({ accountId: id, name: `a${id}`, plan: 'pro' })
      for (const statement of statements) await store.fill(statement, [id])
    }
    await store.fill('vacuum analyze')
  })
  return { store, accountId }
}
