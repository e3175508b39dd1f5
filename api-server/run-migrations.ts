import { Registry } from 'prom-client'
import { contract } from '../common/database/migration/contract.ts'
import { migrate } from '../common/database/migration/migrate.ts'
import { migrationStatus } from '../common/database/migration/migration-status.ts'
import { createPool } from '../common/database/connection/pool.ts'
import { sleep } from '../common/runtime/effects.ts'
import type { MigrationAdmin } from './admin/command/admin-command.ts'
import type { DatabaseAccess } from '../common/database/connection/database-variables.ts'
import type { PoolOptions } from '../common/database/connection/pool.ts'
import type { MigrationDeps } from '../common/database/migration/exclusive.ts'
import type { StatementTimes } from '../common/database/migration/statement-times.ts'
import type { Effects } from '../common/runtime/effects.ts'
import type { Part } from '../common/runtime/lifecycle.ts'
import type { Logger } from '../common/runtime/logger.ts'

interface Deps {
  readonly databaseOptions: PoolOptions & Pick<DatabaseAccess, 'directConnectionString'>
  readonly effects: Effects
  /** Statement times of this process's requests; a backfill pauses while they are slow. */
  readonly times: StatementTimes
  /** Version of this release. */
  readonly release: string
}

export interface Migrations extends MigrationAdmin {
  /** @param upTo the newest file to apply; default: all */
  migrate(upTo?: number, signal?: AbortSignal): Promise<{ from: number; to: number }>
}

/**
 * Migrations on connections with a statement timeout of an hour, for indexes of large tables. There are
 * two connections, because one holds the lock while the other builds an index.
 */
export function createMigrations({ databaseOptions, ...deps }: Deps): Migrations {
  return {
    migrate: (upTo, signal) =>
      connected((connections) =>
        migrate(signal === undefined ? connections : { ...connections, signal }, upTo),
      ),
    status: () => connected(migrationStatus),
    contract: () => connected(contract),
  }

  async function connected<T>(work: (connections: MigrationDeps) => Promise<T>): Promise<T> {
    const patient = { maxConnections: 2, statementTimeoutMs: 3_600_000, registry: new Registry() }
    const { directConnectionString, ...options } = databaseOptions
    const direct =
      directConnectionString === null
        ? {}
        : { connectionString: directConnectionString, isPooled: false }
    const database = createPool({ ...options, ...direct, ...patient })
    try {
      return await work({ ...deps, database })
    } finally {
      await database.close()
    }
  }
}

const againMs = 30_000

/**
 * Applies what this program does not need yet, beside its requests: backfills, and indexes of the next
 * release. A failure is logged and tried again.
 */
export function migrationPart({
  migrations,
  effects,
  logger,
}: {
  readonly migrations: Pick<Migrations, 'migrate'>
  readonly effects: Effects
  readonly logger: Logger
}): Part & { isRunning(): boolean } {
  const stopping = new AbortController()
  const { signal } = stopping
  let running = false

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        logger.info('schema migrated', await migrations.migrate(undefined, signal))
        return
      } catch (error) {
        if (signal.aborted) return
        logger.warn('the migration failed and is resumed in 30 s', { error })
      }
      await sleep(effects.clock, againMs, signal).catch(() => undefined)
    }
  }

  return {
    name: 'migration',
    isRunning: () => running,
    async start() {
      running = true
      void run().finally(() => (running = false))
    },
    // Does not wait: the database completes an index that is under way without this process.
    async stop() {
      stopping.abort(new Error('stopping'))
    },
  }
}
