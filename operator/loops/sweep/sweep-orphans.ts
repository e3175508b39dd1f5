import type { Effects } from '../../../common/runtime/effects.ts'
import { createEachItem } from '../../../common/runtime/each-item.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import type { ObjectOwner } from '../../../common/domain/object-owner.ts'
import { placesOf } from '../../../common/domain/object-owner.ts'
import { resultKey } from '../../../common/domain/storage-keys.ts'
import type { ObjectRemoval, ObjectStore } from '../../../common/storage/object-store.ts'
import type { Store } from '../../../common/store/store.ts'
import { effect } from '../../apply/apply-context.ts'
import type { SweepMetrics } from './sweep-metrics.ts'
import type { Term } from '../../machinery/election/leader.ts'
import { drain, reportingBacklog } from '../drain.ts'
import type { DrainSteps, SweepPass } from '../drain.ts'
import { isStoreOutage } from '../outage.ts'

export interface OrphanSweepDeps {
  readonly store: Pick<
    Store,
    'findDueOrphans' | 'findOrphans' | 'forgetOrphan' | 'postponeOrphan' | 'orphanBacklog'
  >
  readonly storage: ObjectRemoval & Pick<ObjectStore, 'head' | 'list'>
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly metrics: SweepMetrics
  readonly logger: Logger
}

const pageSize = 200

/**
 * Objects that `admin check --restore` found without a row seven days ago. A command may have come back since,
 * imported from its custom resource or by a second restore: its objects stay, and the orphan is forgotten.
 */
export function createOrphanSweep(deps: OrphanSweepDeps): SweepPass {
  const { store, metrics } = deps
  const { clock } = deps.effects
  const eachItem = createEachItem({ name: 'sweep of orphans', clock, logger: deps.logger })
  const steps: DrainSteps<ObjectOwner> = {
    find: () => store.findDueOrphans({ limit: pageSize }),
    isLast: (page) => page.length < pageSize,
    sweep: (orphan) => sweepOrphan(deps, orphan),
    postpone: (orphan) => effect(deps, 'sweep.postponed', () => store.postponeOrphan(orphan)),
    describe: ({ ownerId, attempt }) => ({ owner: ownerId, attempt }),
    accountsOf: ({ accountId }) => [accountId],
    isOutage: isStoreOutage,
  }
  return reportingBacklog(
    (signal) => drain({ clock, eachItem }, steps, signal),
    () => store.orphanBacklog(),
    (backlog) => metrics.sweepBacklog('orphan', backlog),
  )
}

async function sweepOrphan(deps: OrphanSweepDeps, orphan: ObjectOwner): Promise<void> {
  const { storage, logger } = deps
  const isStill = await isOrphan(deps, orphan)
  if (isStill) {
    const { folders, keys, results } = placesOf(orphan)
    for (const folder of folders) {
      await effect(deps, 'sweep.uploads_aborted', () => storage.abortMultiparts(folder))
      await effect(deps, 'sweep.objects_deleted', () => storage.deletePrefix(folder))
    }
    // A result object for each attempt that has ended with SUCCESS: a few.
    const listed = results === null ? [] : (await storage.list(results)).keys()
    const refused = await effect(deps, 'sweep.objects_deleted', () =>
      storage.deleteObjects([...keys, ...listed]),
    )
    for (const error of refused.values()) throw error
    deps.metrics.swept('orphan')
  }
  await effect(deps, 'sweep.recorded', () => deps.store.forgetOrphan(orphan))
  logger.info(isStill ? 'swept objects without a row' : 'objects belong to a row again', {
    owner: orphan.ownerId,
    attempt: orphan.attempt,
  })
}

/** Compares the whole owner again: an attempt whose command is gone is an orphan too. */
async function isOrphan(
  { store, storage }: OrphanSweepDeps,
  orphan: ObjectOwner,
): Promise<boolean> {
  const [found] = await store.findOrphans([orphan])
  if (found === undefined) return false
  const { accountId, ownerId: commandId, attempt } = orphan
  if (!found.hasFailed || attempt === null) return true
  return (await storage.head(resultKey({ accountId, commandId, attempt }))) === null
}
