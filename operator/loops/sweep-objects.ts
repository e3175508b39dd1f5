import type { Effects } from '../../common/runtime/effects.ts'
import { createEachItem } from '../../common/runtime/each-item.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { ObjectStore } from '../../common/storage/object-store.ts'
import type { SweepableAttempt } from '../../common/store/attempts.ts'
import type { Store } from '../../common/store/store.ts'
import { effect } from '../apply/apply-context.ts'
import type { ControllerMetrics } from '../apply/controller-metrics.ts'
import type { Term } from '../machinery/election/leader.ts'
import { isStoreOutage } from './outage.ts'
import { drain, reportingBacklog } from './drain.ts'
import type { DrainSteps, SweepRound } from './drain.ts'

/** What the sweep needs of the object store. */
export type SweepStorage = Pick<ObjectStore, 'deletePrefix' | 'abortMultipart' | 'abortMultiparts'>

export interface ObjectSweepDeps {
  readonly store: Pick<Store, 'findSweepable' | 'markSwept' | 'postponeSweep' | 'sweepBacklog'>
  readonly storage: SweepStorage
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly metrics: Pick<ControllerMetrics, 'swept' | 'sweepBacklog'>
  readonly logger: Logger
}

const pageSize = 200

/**
 * Objects of lost or failed attempts in the object store. An attempt's objects have a prefix of
 * their own, so no other attempt's outputs can be among them; by then the URLs of the pod that
 * wrote them have expired, or the pod is fenced.
 */
export function createObjectSweep(deps: ObjectSweepDeps, olderThanSeconds: number): SweepRound {
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
  { commandId, attempt, prefix, uploads }: SweepableAttempt,
): Promise<void> {
  for (const { key, uploadId } of uploads) {
    await effect(deps, 'sweep.uploads_aborted', () => deps.storage.abortMultipart(key, uploadId))
  }
  if (prefix !== null) {
    // An upload whose id was never recorded is found by its key.
    await effect(deps, 'sweep.uploads_aborted', () => deps.storage.abortMultiparts(prefix))
    await effect(deps, 'sweep.objects_deleted', () => deps.storage.deletePrefix(prefix))
  }
  await effect(deps, 'sweep.recorded', () => deps.store.markSwept(commandId, attempt))
  deps.metrics.swept('attempt')
  deps.logger.info('swept an attempt', { command_id: commandId, attempt, uploads: uploads.length })
}
