import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { ObjectStore } from '../../common/storage/object-store.ts'
import type { Store } from '../../common/store/store.ts'
import { effect } from '../apply/apply-context.ts'
import type { ControllerMetrics } from '../apply/controller-metrics.ts'
import type { Term } from '../machinery/election/leader.ts'

/** What the sweep needs of the object store. */
export type SweepStorage = Pick<ObjectStore, 'deletePrefix' | 'abortMultipart' | 'abortMultiparts'>

export interface ObjectSweepDeps {
  readonly store: Pick<Store, 'findSweepable' | 'markSwept'>
  readonly storage: SweepStorage
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly metrics: Pick<ControllerMetrics, 'swept'>
  readonly logger: Logger
}

const perRound = 100

/**
 * Objects of lost or failed attempts in the object store. An attempt's objects have a prefix of
 * their own, so no other attempt's outputs can be among them; by then the URLs of the pod that
 * wrote them have expired, or the pod is fenced.
 */
export async function sweepObjects(
  deps: ObjectSweepDeps,
  olderThanSeconds: number,
  signal: AbortSignal,
): Promise<void> {
  const attempts = await deps.store.findSweepable({ olderThanSeconds, limit: perRound })
  for (const { commandId, attempt, prefix, uploads } of attempts) {
    if (signal.aborted) return
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
    deps.logger.info('swept an attempt', {
      command_id: commandId,
      attempt,
      uploads: uploads.length,
    })
  }
}
