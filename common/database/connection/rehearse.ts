import type { Database } from './query.ts'

/**
 * Runs `work` in one transaction and rolls it back. Statements see the changes of those before them; a failed
 * one fails the whole. Rows stay locked until the end.
 */
export async function rehearse<T>(
  database: Database,
  work: (rehearsed: Database) => Promise<T>,
): Promise<T> {
  const rollback = new Rollback<T>()
  try {
    await database.transaction(async (query) => {
      const rehearsed: Database = {
        query,
        transaction: (inner) => inner(query),
        close: () => Promise.resolve(),
      }
      rollback.result = { value: await work(rehearsed) }
      throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
  if (rollback.result === null) throw new Error('the transaction ended before its work')
  return rollback.result.value
}

/** Thrown into the transaction, which ends it without a COMMIT. */
class Rollback<T> extends Error {
  result: { readonly value: T } | null = null

  constructor() {
    super('the rehearsal has ended')
    this.name = 'Rollback'
  }
}
