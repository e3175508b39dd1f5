import type {
  AccountAdministrationStore,
  AccountStore,
  KeyStore,
  RegistrationStore,
} from './accounts.ts'
import type { AdminActionStore } from './administration/admin-actions.ts'
import type { AccountDeletionStore } from './retention/account-deletion.ts'
import type { RetentionStore } from './retention/retention.ts'
import type { CommandFilterStore, CommandStore } from './commands.ts'
import type { DispatchStore } from './dispatch.ts'
import type { ReconcileStore } from './reconcile.ts'
import type { AttemptStore, ResultStore } from './attempts.ts'
import type {
  FileFilterStore,
  FileStore,
  FileSweepStore,
  OrphanSweepStore,
  StoredFileStore,
} from './files.ts'
import type { HealthStore } from './health.ts'
import type { LogReadingStore, LogStore } from './logs.ts'
import type { CommandWatchStore, TimelineStore } from './command-states.ts'
import type { LimitStore } from './limits.ts'
import type { DeadLetterStore } from './administration/dead-letters.ts'
import type { RestoreCheckStore } from './administration/restore-check.ts'
import type { RecountStore } from './administration/recount.ts'
import type { PauseStore } from './administration/pauses.ts'
import type { WarmRunnerStore } from './warm-runners.ts'
import type { DeliveryStore, WebhookStore } from './webhooks.ts'

/**
 * All reads and writes of Postgres. Each method is one statement or one transaction.
 * `common/database` holds the statements; the simulator implements `LifecycleStore` in memory and
 * passes the same contract test.
 *
 * All times come from the database. All methods reject with `DatabaseUnavailable` while the database
 * is unreachable, and change nothing then unless the reply to a COMMIT was lost: all methods are
 * idempotent, so a retry is always safe.
 */
export interface Store
  extends
    LifecycleStore,
    StoredFileStore,
    FileSweepStore,
    CommandFilterStore,
    FileFilterStore,
    CommandWatchStore,
    LogReadingStore,
    TimelineStore,
    LimitStore,
    KeyStore,
    AccountAdministrationStore,
    AdminActionStore,
    DeadLetterStore,
    RecountStore,
    RestoreCheckStore,
    OrphanSweepStore,
    AccountDeletionStore,
    RetentionStore,
    RegistrationStore,
    WebhookStore {}

/** Store methods used during a command's lifecycle. */
export interface LifecycleStore
  extends
    AccountStore,
    CommandStore,
    DispatchStore,
    ReconcileStore,
    AttemptStore,
    WarmRunnerStore,
    FileStore,
    LogStore,
    ResultStore,
    DeliveryStore,
    PauseStore,
    Pick<LimitStore, 'readUsage' | 'readQueue'>,
    HealthStore {}
