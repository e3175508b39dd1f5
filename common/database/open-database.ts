import { createHints } from './hints/create-hints.ts'
import { createOlderPrograms } from './migration/older-programs.ts'
import { createAnnouncer } from './migration/program-seen.ts'
import { createPool } from './connection/pool.ts'
import { createPostgresStore } from './postgres-store.ts'
import { roleTimeouts } from './connection/role-timeouts.ts'
import { withHints } from '../store/hints.ts'
import { createLifecycleMetrics } from '../store/lifecycle/metrics.ts'
import type { LifecycleMetrics } from '../store/lifecycle/metrics.ts'
import type { OlderPrograms } from './migration/older-programs.ts'
import type { DatabaseAccess } from './connection/database-variables.ts'
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
  readonly olderPrograms: OlderPrograms
  /** Stages of commands; those that the database does not time are observed by others. */
  readonly lifecycle: LifecycleMetrics
  /**
   * Records the level of this program, and takes the database for its installation; it has to be called before the
   * schema is checked.
   */
  readonly announce: () => Promise<void>
  /** To be started once the schema is there. */
  readonly parts: readonly Part[]
}

/** All that a server has of the database: its statements, and what tells it of other processes' work. */
export async function openDatabase(
  options: PoolOptions &
    Pick<DatabaseAccess, 'directConnectionString'> &
    PostgresStoreOptions &
    Required<Pick<PostgresStoreOptions, 'priorityAgeSeconds'>> & {
      readonly effects: Effects
      readonly logger: Logger
      /** `api-server/HOST/PID`. */
      readonly instance: string
      /** Namespace and name of the release; null: it is not compared with that of the database. */
      readonly installation: string | null
    },
): Promise<OpenDatabase> {
  const {
    directConnectionString,
    isPooled = false,
    effects,
    logger,
    instance,
    installation,
  } = options
  const database = createPool(options)
  const { query } = database
  const hints = createHints({ ...options, query, connectionString: directConnectionString })
  const announcer = await createAnnouncer({ query, instance, installation, effects, logger })
  const lifecycle = createLifecycleMetrics(options.registry)
  const store = createPostgresStore(database, { ...options, observer: lifecycle })
  return {
    database,
    lifecycle,
    store: withHints(store, hints.give),
    hints,
    olderPrograms: createOlderPrograms({ query, clock: effects.clock }),
    announce: announcer.announce,
    parts: [roleTimeouts({ query, isPooled, logger }), announcer.part, hints.part],
  }
}
