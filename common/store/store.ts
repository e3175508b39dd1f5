import type { AccountAdministrationStore, AccountStore } from './accounts.ts'
import type { CommandStore } from './commands.ts'
import type { DispatchStore } from './dispatch.ts'
import type { ReconcileStore } from './reconcile.ts'
import type { AttemptStore } from './attempts.ts'
import type { FileStore, FileSweepStore, StoredFileStore } from './files.ts'
import type { HealthStore } from './health.ts'
import type { RegistrationStore } from './registrations.ts'
import type { LogReadingStore, LogStore } from './logs.ts'
import type { CommandWatchStore } from './command-states.ts'
import type { LimitStore } from './limits.ts'
import type { WebhookStore } from './webhooks.ts'

/**
 * Every question and every change that Postgres answers, as the rest of the program sees it: one
 * method, one statement or one transaction. `common/database` holds the statements; of the road the
 * simulator has an in-memory twin, held to the same contract test.
 *
 * All times come from the database. All methods reject on an unreachable database with
 * `DatabaseUnavailable` and change nothing then, except where the reply of a COMMIT got lost:
 * repeating a method is always safe.
 */
export interface Store
  extends
    LifecycleStore,
    StoredFileStore,
    FileSweepStore,
    CommandWatchStore,
    LogReadingStore,
    LimitStore,
    AccountAdministrationStore,
    RegistrationStore,
    WebhookStore {}

/** What a command asks for on its way from submission to its end. */
export interface LifecycleStore
  extends
    AccountStore,
    CommandStore,
    DispatchStore,
    ReconcileStore,
    AttemptStore,
    FileStore,
    LogStore,
    Pick<LimitStore, 'readUsage'>,
    HealthStore {}
