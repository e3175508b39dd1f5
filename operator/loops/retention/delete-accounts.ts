import { accountPrefixes, resultsPrefix } from '../../../common/domain/storage-keys.ts'
import { createEachItem } from '../../../common/runtime/each-item.ts'
import { effect } from '../../apply/apply-context.ts'
import { expireFileWork, expirePage } from './expire-account.ts'
import type { OutcomeCommit } from '../../../common/store/attempts.ts'
import type { AccountDeletionStore } from '../../../common/store/retention/account-deletion.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import type { ObjectRemoval } from '../../../common/storage/object-store.ts'
import type { Store } from '../../../common/store/store.ts'
import type { ExpireDeps } from './expire-account.ts'
import type { RetentionMetrics } from './retention-metrics.ts'

export interface DeletionDeps extends ExpireDeps {
  readonly store: ExpireDeps['store'] &
    AccountDeletionStore &
    Pick<Store, 'commitOutcome' | 'requestCancel' | 'deleteFiles'>
  readonly storage: ObjectRemoval
  readonly metrics: RetentionMetrics
  readonly isSlow: () => boolean
  readonly logger: Logger
}

const accountsPerPass = 20
const pageRows = 500
/** Pages of one kind in one pass. */
const pages = 10

/**
 * Deletes whole accounts: commands are cancelled and files deleted, the other loops of the operator end
 * and sweep them, then their rows go, and the account last. Each pass does what can be done by then. What
 * is left is read from rows each time, so a crash between any two steps costs one repetition.
 */
export function createAccountDeletion(deps: DeletionDeps): (signal: AbortSignal) => Promise<void> {
  const { store, effects, logger, metrics } = deps
  const eachAccount = createEachItem({ name: 'account deletion', clock: effects.clock, logger })
  return async (signal) => {
    const found = await store.findAccountDeletions(accountsPerPass)
    metrics.oldestDeletion(Math.max(0, ...found.map(({ seconds }) => seconds)))
    await eachAccount.run(found, {
      work: ({ accountId }) => deleteAccount(deps, accountId, signal),
      // All of them are tried in each pass.
      postpone: () => undefined,
      describe: ({ accountId }) => ({ account_id: accountId }),
      signal,
    })
  }
}

async function deleteAccount(
  deps: DeletionDeps,
  accountId: string,
  signal: AbortSignal,
): Promise<void> {
  const { store, isSlow } = deps
  const repeat = async (step: () => Promise<boolean>): Promise<void> => {
    for (let page = 0; page < pages && !signal.aborted && !isSlow(); page += 1) {
      if (!(await step())) return
    }
  }
  const removed = async (remove: () => Promise<number>): Promise<boolean> =>
    (await effect(deps, 'retention.rows_removed', remove)) === pageRows

  await repeat(() => removed(() => store.removeAccountEvents(accountId, pageRows)))
  await repeat(() => cancelPage(deps, accountId))
  await repeat(() => deleteFilePage(deps, accountId))
  // A result object keeps the objects of its attempt from the sweep.
  await effect(deps, 'retention.objects_deleted', () =>
    deps.storage.deletePrefix(resultsPrefix(accountId)),
  )
  const records = { accountId, kind: 'records', days: 0, limit: pageRows } as const
  await repeat(async () => (await expirePage(deps, { ...records, restartAfterSeconds: 0 })).more)
  await repeat(async () => (await expireFileWork(deps, accountId, 0)).more)
  await repeat(() => removed(() => store.removeSweptFiles(accountId, pageRows)))
  if (signal.aborted || !(await store.isAccountEmpty(accountId))) return
  await finish(deps, accountId)
}

/** Cancels like a client: a command without a runner ends at once, the others by their runner. */
async function cancelPage(deps: DeletionDeps, accountId: string): Promise<boolean> {
  const { store } = deps
  const ids = await store.findUncancelled(accountId, pageRows)
  for (const commandId of ids) {
    const committed = await effect(deps, 'deletion.command_cancelled', () =>
      store.commitOutcome({ ...cancelled, commandId, attempt: null }),
    )
    if (committed.kind === 'superseded') {
      await effect(deps, 'deletion.cancel_requested', () =>
        store.requestCancel(commandId, cancelledBy),
      )
    }
  }
  return ids.length === pageRows
}

const cancelledBy = 'deletion of the account'

const cancelled: Omit<OutcomeCommit, 'commandId' | 'attempt'> = {
  outcome: {
    status: 'FAILED',
    errorStatus: 'CANCELLED',
    errorMessage: 'The account is being deleted',
  },
  steps: null,
  usage: null,
  logs: [],
  cancelledBy,
}

async function deleteFilePage(deps: DeletionDeps, accountId: string): Promise<boolean> {
  const { store } = deps
  const fileIds = await store.findUndeletedFiles(accountId, pageRows)
  if (fileIds.length === 0) return false
  await effect(deps, 'deletion.files_deleted', () =>
    store.deleteFiles({ accountId, fileIds, withoutManifests: false }),
  )
  return fileIds.length === pageRows
}

/** Objects that no row names go by their prefix: every object of an account has its id in the key. */
async function finish(deps: DeletionDeps, accountId: string): Promise<void> {
  const { storage, store, logger } = deps
  let objects = 0
  for (const prefix of accountPrefixes(accountId)) {
    await effect(deps, 'sweep.uploads_aborted', () => storage.abortMultiparts(prefix))
    objects += await effect(deps, 'retention.objects_deleted', () => storage.deletePrefix(prefix))
  }
  await effect(deps, 'deletion.account_removed', () =>
    store.finishAccountDeletion(accountId, objects),
  )
  logger.info('deleted an account', { account_id: accountId, objects })
}
