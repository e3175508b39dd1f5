import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { backoff, halfJitter } from '../../runtime/backoff.ts'
import { sleep } from '../../runtime/effects.ts'
import type { Effects } from '../../runtime/effects.ts'
import { currentConnectionString } from '../connection/connection-string.ts'
import type { ConnectionString } from '../connection/connection-string.ts'
import { unavailableOr } from '../connection/unavailable.ts'
import { migrationsFolder, migrationsTable } from './migration-names.ts'

export interface MigrationDeps {
  /** Reaches the server itself: the lock belongs to a session, which a pooler would share. */
  readonly connectionString: ConnectionString
  readonly effects: Effects
  /** Default: the files of this program. */
  readonly folder?: string
  /** Longest wait for the lock of a table; default: 2 s. */
  readonly lockTimeoutMs?: number
  readonly signal?: AbortSignal
}

const mostTries = 30
const betweenTries = { first: 250, longest: 4_000, jitter: halfJitter }
const busyWaits = { first: 100, longest: 1_000, jitter: halfJitter }

/**
 * Applies the files that the database lacks, each in a transaction of its own; a later call resumes after
 * a crash. Processes take turns by an advisory lock. One without the lock tries again and does not wait
 * in the database: CREATE INDEX CONCURRENTLY would wait for its snapshot.
 *
 * A lock on a table is waited for 2 s at most, because all later statements on the table wait behind it.
 * There are 30 tries, with pauses in which the statements before it end.
 * @returns the names of the applied files
 * @throws DatabaseUnavailable
 */
export async function migrate(deps: MigrationDeps): Promise<string[]> {
  const { effects, signal } = deps
  for (let tries = 1, busy = 1; ;) {
    signal?.throwIfAborted()
    try {
      return await effects.failpoint('migration.applied', () => applyMissing(deps))
    } catch (error) {
      if (isTakenByOther(error)) {
        await sleep(effects.clock, backoff(busyWaits, busy, effects.random()), signal)
        busy += 1
        continue
      }
      if (!isLockConflict(error)) throw error
      if (tries === mostTries) {
        throw new Error(
          `the migration did not get its lock in ${mostTries} tries: end the long transactions on its table (pg_stat_activity), then start the migration again`,
          { cause: error },
        )
      }
      await sleep(effects.clock, backoff(betweenTries, tries, effects.random()), signal)
      tries += 1
    }
  }
}

/** Indexes of large tables take their time. */
const statementMs = 3_600_000

async function applyMissing({
  connectionString,
  folder = migrationsFolder,
  lockTimeoutMs = 2_000,
}: MigrationDeps): Promise<string[]> {
  // Loaded here, since most starts of a server have nothing to migrate.
  const { runner } = await import('node-pg-migrate')
  const client = new pg.Client({
    connectionString: currentConnectionString(connectionString),
    application_name: 'cloud-ffmpeg-migration',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    statement_timeout: statementMs,
    lock_timeout: lockTimeoutMs,
  })
  // A connection that breaks between two statements must not end the process.
  let isBroken = false
  client.on('error', () => (isBroken = true))
  try {
    await client.connect().catch((error: unknown) => {
      throw unavailableOr(error)
    })
    await refuseUnpublished(client)
    const applied = await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable,
      migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadSqlFiles }],
      logger: silent,
    })
    return applied.map(({ name }) => name)
  } catch (error) {
    // Errors of the library, as for files in another order, do not pass by waiting.
    const isOfDatabase = isBroken || error instanceof pg.DatabaseError
    throw isOfDatabase && !isLockConflict(error) ? unavailableOr(error) : error
  } finally {
    // Ends the session, and with it the lock and an open transaction.
    await client.end().catch(() => undefined)
  }
}

/** Each error is thrown, too. */
const silent = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

interface Builder {
  noTransaction(): void
  sql(statement: string): void
}

async function loadSqlFiles(files: readonly string[]) {
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8')
      const up = (builder: Builder): void => addStatements(builder, text)
      return { id: file, filePaths: [file], actions: { up, down: false as const } }
    }),
  )
}

const concurrently = /^create\s+(?:unique\s+)?index\s+concurrently\s+([a-z_0-9]+)/im

/**
 * A file with one CREATE INDEX CONCURRENTLY runs outside a transaction. A crash leaves an index that no
 * query uses, so one of that name is dropped first.
 */
function addStatements(builder: Builder, text: string): void {
  const index = concurrently.exec(text)?.[1]
  if (index !== undefined) {
    builder.noTransaction()
    builder.sql(`drop index concurrently if exists ${index}`)
  }
  builder.sql(text)
}

async function refuseUnpublished(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ old: boolean }>(
    `select to_regclass('schema_migrations') is not null as old`,
  )
  if (rows[0]?.old !== true) return
  throw new Error(
    `the database has the tables of a version before the first published one: give this version an empty database`,
  )
}

function isTakenByOther(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Another migration is already running')
}

/** SQLSTATE of a lock timeout and of a deadlock. */
const lockConflicts: readonly unknown[] = ['55P03', '40P01']

function isLockConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && lockConflicts.includes(error.code)
}
