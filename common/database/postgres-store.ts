import { accounts } from './accounts/accounts.ts'
import { apiKeys } from './accounts/api-keys.ts'
import { adminActions } from './accounts/admin-actions.ts'
import { deadLetters } from './administration/dead-letters.ts'
import { recount } from './administration/recount.ts'
import { registrations } from './accounts/registrations.ts'
import { filteredCommands } from './commands/filtered-commands.ts'
import { commandStates } from './commands/command-states.ts'
import { findCommands, listCommands } from './commands/command-records.ts'
import { insertCommands } from './commands/insert-commands.ts'
import { logs } from './commands/logs.ts'
import { timelines } from './commands/timelines.ts'
import { health } from './health.ts'
import { history } from './results/history.ts'
import { deletedFiles } from './files/deleted-files.ts'
import { filteredFiles } from './files/filtered-files.ts'
import { lostFiles } from './files/lost-files.ts'
import { orphans } from './files/orphans.ts'
import { storedFiles } from './files/stored-files.ts'
import { uploads } from './files/uploads.ts'
import { admission } from './lifecycle/admission.ts'
import { attemptObjects } from './lifecycle/attempt-objects.ts'
import { claimAttempt } from './lifecycle/claim-attempt.ts'
import { commitOutcome } from './lifecycle/commit-outcome.ts'
import { dispatch } from './lifecycle/dispatch.ts'
import { findWaiting } from './lifecycle/find-waiting.ts'
import { importCommand, importFile } from './lifecycle/imports.ts'
import { loseAttempt } from './lifecycle/lose-attempt.ts'
import { recordedResults } from './results/recorded-results.ts'
import { reconcileRows } from './lifecycle/reconcile-rows.ts'
import { warmRunners } from './lifecycle/warm-runners.ts'
import { storeProgress } from './lifecycle/store-progress.ts'
import { idempotencyKeys } from './limits/idempotency-keys.ts'
import { rateBuckets } from './limits/rate-buckets.ts'
import { queue } from './limits/queue.ts'
import { accountDeletion } from './retention/account-deletion.ts'
import { retention } from './retention/retention.ts'
import { pauses } from './pauses/pauses.ts'
import { usage } from './limits/usage.ts'
import { usageHistory } from './limits/usage-history.ts'
import { deliveries } from './webhooks/deliveries.ts'
import { webhooks } from './webhooks/webhooks.ts'
import { defaultPriorityAgeSeconds } from '../domain/priority.ts'
import { unobserved } from '../store/lifecycle/observer.ts'
import type { LifecycleObserver } from '../store/lifecycle/observer.ts'
import type { Database } from './connection/query.ts'
import type { Store } from '../store/store.ts'

export interface PostgresStoreOptions {
  /** See `queueShiftSeconds`. */
  readonly priorityAgeSeconds?: number
  /** Progress and log lines do not wait for their commit to be flushed or replicated. */
  readonly relaxedProgress?: boolean
  readonly observer?: LifecycleObserver
}

/** The store that the servers use. Each method is one statement or one transaction. */
export function createPostgresStore(
  database: Database,
  {
    priorityAgeSeconds = defaultPriorityAgeSeconds,
    relaxedProgress = false,
    observer = unobserved,
  }: PostgresStoreOptions = {},
): Store {
  const { query } = database
  return {
    ...accounts(database),
    ...apiKeys(database),
    ...adminActions(database),
    ...deadLetters(database),
    ...recount(database),
    ...registrations(database),
    insertCommands: (commands) => insertCommands(query, commands, priorityAgeSeconds),
    async findCommand(accountId, commandId) {
      const [command] = await findCommands(query, [{ accountId, commandId }])
      return command ?? null
    },
    listCommands: (list) => listCommands(query, list),
    ...filteredCommands(database),
    ...filteredFiles(database),
    ...commandStates(database),
    ...logs(database),
    ...timelines(database),
    ...dispatch(database),
    importCommand: (command) =>
      importCommand(query, command, { refusal: null, priorityAgeSeconds }),
    importRefused: (command) =>
      importCommand(query, command, { refusal: command.errorMessage, priorityAgeSeconds }),
    importFile: (file) => importFile(database, file),
    ...findWaiting(database),
    ...admission(database, observer),
    claimAttempt: (claim) => claimAttempt(query, claim),
    ...warmRunners(database),
    storeProgress: (progress) => storeProgress(query, progress, relaxedProgress),
    commitOutcome: (commit) => commitOutcome(query, commit, observer),
    loseAttempt: (lost) => loseAttempt(database, lost, observer),
    ...reconcileRows(database, observer),
    ...attemptObjects(database),
    ...recordedResults(database),
    ...history(database),
    ...uploads(database),
    ...storedFiles(database),
    ...deletedFiles(database),
    ...lostFiles(database),
    ...orphans(database),
    ...retention(database),
    ...accountDeletion(database),
    ...pauses(database),
    ...usage(database),
    ...usageHistory(database),
    ...queue(database),
    ...rateBuckets(database),
    ...idempotencyKeys(database),
    ...webhooks(database),
    ...deliveries(database),
    ...health(database),
  }
}
