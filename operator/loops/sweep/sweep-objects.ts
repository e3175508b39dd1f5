import type { Effects } from '../../../common/runtime/effects.ts'
import { createEachItem } from '../../../common/runtime/each-item.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import { resultKey } from '../../../common/domain/storage-keys.ts'
import { ObjectStoreUnavailable } from '../../../common/storage/object-store.ts'
import type { ObjectRemoval, ObjectStore } from '../../../common/storage/object-store.ts'
import type { SweepableAttempt } from '../../../common/store/attempts.ts'
import type { Store } from '../../../common/store/store.ts'
import { effect } from '../../apply/apply-context.ts'
import { restoreKept } from '../../apply/restore-outcome.ts'
import type { ResultKeeper } from '../../apply/result-keeper.ts'
import type { HistoryMetrics } from '../../apply/history-metrics.ts'
import type { SweepMetrics } from './sweep-metrics.ts'
import type { Term } from '../../machinery/election/leader.ts'
import { isStoreOutage } from '../outage.ts'
import { drain, reportingBacklog } from '../drain.ts'
import type { DrainSteps, SweepPass } from '../drain.ts'

/** Calls of the sweep to the object store. */
export type SweepStorage = Pick<
  ObjectStore,
  'deletePrefix' | 'abortMultipart' | 'abortMultiparts'
> &
  Pick<ObjectRemoval, 'deleteObjects'>

export interface ObjectSweepDeps {
  readonly store: Pick<
    Store,
    | 'findSweepable'
    | 'markSwept'
    | 'postponeSweep'
    | 'sweepBacklog'
    | 'findForReconcile'
    | 'restoreOutcome'
  >
  readonly storage: SweepStorage
  readonly results: Pick<ResultKeeper, 'find'>
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly metrics: SweepMetrics & Pick<HistoryMetrics, 'outcomeRestored' | 'shownOutcomeLost'>
  readonly logger: Logger
}

const pageSize = 200

/**
 * Objects of lost or failed attempts in the object store. An attempt's objects have a prefix of
 * their own, so no other attempt's outputs can be among them; by then the URLs of the pod that
 * wrote them have expired, or the pod is fenced.
 */
export function createObjectSweep(deps: ObjectSweepDeps, olderThanSeconds: number): SweepPass {
  const { store, metrics } = deps
  const { clock } = deps.effects
  const eachItem = createEachItem({ name: 'sweep of attempts', clock, logger: deps.logger })
  const steps: DrainSteps<SweepableAttempt> = {
    find: () => store.findSweepable({ olderThanSeconds, limit: pageSize }),
    isLast: (page) => page.length < pageSize,
    sweep: (attempt) => sweepAttempt(deps, attempt),
    postpone: ({ commandId, attempt }) =>
      effect(deps, 'sweep.postponed', () => store.postponeSweep(commandId, attempt)),
    describe: ({ commandId, attempt }) => ({ command_id: commandId, attempt }),
    accountsOf: ({ accountId }) => [accountId],
    isOutage: isStoreOutage,
  }
  return reportingBacklog(
    (signal) => drain({ clock, eachItem }, steps, signal),
    () => store.sweepBacklog({ olderThanSeconds }),
    (backlog) => metrics.sweepBacklog('attempt', backlog),
  )
}

async function sweepAttempt(
  deps: ObjectSweepDeps,
  { accountId, commandId, attempt, prefix, uploads }: SweepableAttempt,
): Promise<void> {
  for (const { key, uploadId } of uploads) {
    await effect(deps, 'sweep.uploads_aborted', () => deps.storage.abortMultipart(key, uploadId))
  }
  if (prefix !== null) {
    if (await isInUse(deps, { accountId, commandId, attempt })) throw new ObjectsInUse(attempt)
    // An upload whose id was never recorded is found by its key.
    await effect(deps, 'sweep.uploads_aborted', () => deps.storage.abortMultiparts(prefix))
    await effect(deps, 'sweep.objects_deleted', () => deps.storage.deletePrefix(prefix))
  }
  await effect(deps, 'sweep.recorded', () => deps.store.markSwept(commandId, attempt))
  deps.metrics.swept('attempt')
  deps.logger.info('swept an attempt', { command_id: commandId, attempt, uploads: uploads.length })
}

/**
 * A result object says that users may have been shown this attempt's outputs. They go only if the row
 * is SUCCESS: then another attempt has won, or the owner deleted the file.
 */
async function isInUse(
  deps: ObjectSweepDeps,
  of: Pick<SweepableAttempt, 'accountId' | 'commandId' | 'attempt'>,
): Promise<boolean> {
  const result = await deps.results.find(of)
  if (result === null) return false
  if (result === 'unavailable') throw new ObjectStoreUnavailable(new Error('no result object'))
  const row = await deps.store.findForReconcile(of.commandId)
  if (row?.status === 'SUCCESS') {
    await effect(deps, 'sweep.objects_deleted', () => deps.storage.deleteObjects([resultKey(of)]))
    return false
  }
  if (row?.status !== 'FAILED') await restoreKept(deps, of, of.attempt)
  return true
}

/** Postpones the sweep of an attempt, which is not an outage. */
class ObjectsInUse extends Error {
  constructor(attempt: string) {
    super(`the objects of ${attempt} are kept: its result object says SUCCESS`)
    this.name = 'ObjectsInUse'
  }
}
