import { DatabaseUnavailable } from '../../store/health.ts'
import { migrationNames, migrationsTable } from './migration-names.ts'
import type { Query } from '../connection/query.ts'

/**
 * Locks nothing. The schema may have more than this program knows: a newer release only adds what the
 * release before does not need.
 * @throws DatabaseUnavailable if the schema lacks what this program needs
 */
export async function checkSchema(query: Query): Promise<void> {
  const missing = await missingMigrations(query)
  if (missing.length === 0) return
  throw new DatabaseUnavailable(
    new Error(
      `the schema of the database lacks ${missing.join(', ')}, which this program needs: run the migration ('node main.ts migrate' of the API server)`,
    ),
  )
}

/** Names of this program's files that the database lacks. */
export async function missingMigrations(query: Query): Promise<string[]> {
  own ??= migrationNames()
  const applied = new Set(await appliedMigrations(query))
  return (await own).filter((name) => !applied.has(name))
}

let own: Promise<readonly string[]> | undefined

/** Oldest first; none before the first migration. */
export async function appliedMigrations(query: Query): Promise<string[]> {
  const [exists] = await query<{ exists: boolean }>(
    'schema_exists',
    `select to_regclass('${migrationsTable}') is not null as exists`,
  )
  if (exists?.exists !== true) return []
  const rows = await query<{ name: string }>(
    'applied_migrations',
    `select name from ${migrationsTable} order by id`,
  )
  return rows.map(({ name }) => name)
}
