import { sleep } from '../../runtime/effects.ts'
import type { Query } from '../connection/query.ts'
import type { MigrationDeps } from './exclusive.ts'

/** The step builds or drops an index beside writers, which PostgreSQL does outside a transaction only. */
export function isConcurrent(sql: string): boolean {
  return /\bconcurrently\b/i.test(withoutComments(sql))
}

export function withoutComments(sql: string): string {
  return sql.replaceAll(/--[^\n]*/g, '')
}

const buildingWaitMs = 1_000

/**
 * Runs the one statement of a step. A crash during CREATE INDEX CONCURRENTLY leaves an invalid index,
 * which each write maintains and no query uses; it is dropped and built again. If only the process
 * crashed, the database still builds the index, and dropping it would waste that work. A valid one was
 * built before a crash that came before its record.
 */
export async function buildConcurrently(
  { database: { query }, effects, signal }: MigrationDeps,
  sql: string,
): Promise<void> {
  const [, index = ''] = created.exec(withoutComments(sql)) ?? []
  for (let found = await readIndex(query, index); found !== null;) {
    if (found === 'valid') return
    if (found === 'invalid') {
      await query('migrate_drop_invalid', `drop index concurrently if exists ${index}`)
      break
    }
    await sleep(effects.clock, buildingWaitMs, signal)
    found = await readIndex(query, index)
  }
  await query('migrate', sql)
}

const created = /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+([a-z_0-9]+)\s+on\b/i

/** Null if the index does not exist, or if the step creates none. */
async function readIndex(
  query: Query,
  index: string,
): Promise<'valid' | 'building' | 'invalid' | null> {
  const [row] = await query<{ state: 'valid' | 'building' | 'invalid' }>(
    'migrate_index_state',
    `select case
         when indisvalid then 'valid'
         when exists (
           select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid
         ) then 'building'
         else 'invalid'
       end as state
     from pg_index i where i.indexrelid = to_regclass($1)`,
    [index],
  )
  return row?.state ?? null
}
