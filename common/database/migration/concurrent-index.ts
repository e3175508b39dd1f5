import type { Query } from '../connection/query.ts'

/** The step builds or drops an index beside writers, which PostgreSQL does outside a transaction only. */
export function isConcurrent(sql: string): boolean {
  return /\bconcurrently\b/i.test(withoutComments(sql))
}

export function withoutComments(sql: string): string {
  return sql.replaceAll(/--[^\n]*/g, '')
}

/**
 * Runs the one statement of a step. A crash during CREATE INDEX CONCURRENTLY leaves an invalid index,
 * which each write maintains and no query uses; it is dropped and built again. A valid one was built
 * before a crash that came before its record.
 */
export async function buildConcurrently(query: Query, sql: string): Promise<void> {
  const [, index = ''] = created.exec(withoutComments(sql)) ?? []
  if (index !== '') {
    const valid = await isValid(query, index)
    if (valid === true) return
    if (valid === false) {
      await query('migrate_drop_invalid', `drop index concurrently if exists ${index}`)
    }
  }
  await query('migrate', sql)
}

const created = /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+([a-z_0-9]+)\s+on\b/i

/** Null if the index does not exist. */
async function isValid(query: Query, index: string): Promise<boolean | null> {
  const [row] = await query<{ valid: boolean }>(
    'migrate_index_valid',
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [index],
  )
  return row?.valid ?? null
}
