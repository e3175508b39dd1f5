import { readdir, readFile } from 'node:fs/promises'
import type { Database, Query } from './query.ts'

interface Migration {
  readonly version: number
  readonly file: URL
}

/**
 * Migrates the schema to this program's version in one transaction: a crash leaves the old schema,
 * and the second of two concurrent migrations waits and finds nothing to do.
 * @returns the versions before and after
 * @throws NewerSchema if the database is newer than this program, which must not write to it then
 */
export async function migrate(database: Database): Promise<{ from: number; to: number }> {
  const migrations = await readMigrations()
  const to = newest(migrations)
  return database.transaction(async (query) => {
    // A lock that ends with the transaction, so a crash cannot leave it locked.
    await query('migrate_lock', `select pg_advisory_xact_lock(${migrationLock})`)
    await query(
      'migrate_versions',
      `create table if not exists schema_migrations (
        version integer primary key,
        applied_at timestamptz not null default now()
      )`,
    )
    const from = await readVersion(query)
    if (from > to) throw new NewerSchema(from, to)
    for (const { version, file } of migrations.filter((migration) => migration.version > from)) {
      await query('migrate', await readFile(file, 'utf8'))
      await query('migrate_done', 'insert into schema_migrations (version) values ($1)', [version])
    }
    return { from, to }
  })
}

/** The schema version that this program needs. */
export async function requiredVersion(): Promise<number> {
  return newest(await readMigrations())
}

/** The version the database has now, 0 before the first migration. */
export async function schemaVersion(query: Query): Promise<number> {
  const [found] = await query<{ exists: boolean }>(
    'schema_exists',
    `select to_regclass('schema_migrations') is not null as exists`,
  )
  return found?.exists === true ? readVersion(query) : 0
}

/** The database was migrated by a newer version of this program. */
export class NewerSchema extends Error {
  constructor(found: number, known: number) {
    super(
      `the database has schema version ${found}, this program supports ${known}: start the newer version, or restore a backup from before its start`,
    )
    this.name = 'NewerSchema'
  }
}

/** An arbitrary constant, which must be the same in every version. */
const migrationLock = 6_332_117

async function readVersion(query: Query): Promise<number> {
  const [row] = await query<{ version: number }>(
    'schema_version',
    'select coalesce(max(version), 0) as version from schema_migrations',
  )
  return row?.version ?? 0
}

async function readMigrations(): Promise<Migration[]> {
  const folder = new URL('../migrations/', import.meta.url)
  const names = await readdir(folder)
  return names
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .toSorted()
    .map((name) => ({ version: Number(name.slice(0, 4)), file: new URL(name, folder) }))
}

function newest(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0
}
