import { createHints } from './hints/create-hints.ts'
import { createInstallationClaim } from './migration/claim-installation.ts'
import { createPool } from './connection/pool.ts'
import { createPostgresStore } from './postgres-store.ts'
import { roleTimeouts } from './connection/role-timeouts.ts'
import { withHints } from '../store/hints.ts'
import type { DatabaseMetrics } from './database-metrics.ts'
import type { DatabaseAccess } from './connection/database-access.ts'
import type { PoolOptions } from './connection/pool.ts'
import type { PostgresStoreOptions } from './postgres-store.ts'
import type { Database } from './connection/query.ts'
import type { Effects } from '../runtime/effects.ts'
import type { Part } from '../runtime/lifecycle.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Store } from '../store/store.ts'
import type { WorkHints } from '../store/hints.ts'

export interface OpenDatabase {
  readonly database: Database
  readonly store: Store
  readonly hints: WorkHints
  /** Takes the database for this installation; has to be called before the schema is migrated. */
  readonly claim: () => Promise<void>
  /** To be started once the schema is there. */
  readonly parts: readonly Part[]
}

/** All that a server has of the database: its statements, and what tells it of other processes' work. */
export function openDatabase(
  options: Omit<PoolOptions, 'metrics'> &
    Pick<DatabaseAccess, 'directConnectionString'> &
    PostgresStoreOptions &
    Required<Pick<PostgresStoreOptions, 'priorityAgeSeconds'>> & {
      readonly effects: Effects
      readonly metrics: DatabaseMetrics
      readonly logger: Logger
      /** Namespace and name of the release; null: it is not compared with that of the database. */
      readonly installation: string | null
    },
): OpenDatabase {
  const {
    directConnectionString,
    isPooled = false,
    effects,
    logger,
    installation,
    metrics,
  } = options
  const database = createPool({ ...options, metrics: metrics.pool })
  const { query } = database
  const hints = createHints({
    ...options,
    query,
    connectionString: directConnectionString,
    metrics: metrics.hints,
  })
  const installed = createInstallationClaim({ query, installation, effects, logger })
  const store = createPostgresStore(database, { ...options, observer: metrics.lifecycle })
  return {
    database,
    store: withHints(store, hints.give),
    hints,
    claim: installed.claim,
    parts: [roleTimeouts({ query, isPooled, logger }), installed.part, hints.part],
  }
}
