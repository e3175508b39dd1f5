import { customResourceName, storedFileKind } from '../../../common/domain/resource-names.ts'
import { createEachItem } from '../../../common/runtime/each-item.ts'
import { isKubeError } from '../../../common/kubernetes/kube-error.ts'
import type { Collectable } from '../../../common/store/reconcile.ts'
import { deleteResource } from '../../apply/record-finalizer.ts'
import { effect } from '../../apply/apply-context.ts'
import type { ApplyDeps } from '../../apply/apply-context.ts'
import type { KeyLocks } from '../../machinery/key-locks.ts'
import { createItemBackoff } from '../../machinery/item-backoff.ts'
import { drain, reportingBacklog } from '../drain.ts'
import type { DrainSteps, SweepPass } from '../drain.ts'
import type { SweepMetrics } from './sweep-metrics.ts'

/**
 * A finished command's object stays at least `olderThanSeconds`; the newest ones are kept longer, so
 * that `kubectl get` shows recent history, and those with `keepAnnotation` until they are deleted by hand.
 */
export type FinishedSettings = Collectable

export interface FinishedSweepDeps extends ApplyDeps {
  readonly locked: KeyLocks
  readonly metrics: ApplyDeps['metrics'] & SweepMetrics
}

const pageSize = 500
const backoffMs = { first: 30_000, longest: 6 * 3_600_000, jitter: [1, 1] } as const

/**
 * Finished objects are deleted one by one: deleting a collection of tens of thousands answers 504
 * after a minute. The row decides which may go, so an object is never deleted before it is recorded
 * and released.
 */
export function createFinishedSweep(
  deps: FinishedSweepDeps,
  settings: FinishedSettings,
): SweepPass {
  const { store, metrics } = deps
  const { clock } = deps.effects
  /** Objects with `keepAnnotation`: the database does not know of it. */
  const kept = new Set<string>()
  const isKept = (id: string): boolean => deps.caches.commandsOf(id)[0]?.keep === true
  const backoff = createItemBackoff({ ...deps.effects, waits: backoffMs })
  const eachItem = createEachItem({ name: 'sweep of resources', clock, logger: deps.logger })
  const steps: DrainSteps<string> = {
    async find() {
      const except = backoff.waiting()
      for (const id of kept) if (!isKept(id)) kept.delete(id)
      const query = { ...settings, except, kept: [...kept], limit: pageSize }
      const ids = await store.findCollectable(query)
      // An object that was deleted by its owner is not found again.
      if (ids.length < pageSize) backoff.keepOnly(new Set([...ids, ...except]))
      return ids
    },
    isLast: (page) => page.length < pageSize,
    async sweep(commandId) {
      // One that is found again belongs to an account that is being deleted.
      if (isKept(commandId) && !kept.has(commandId)) return void kept.add(commandId)
      await deps.locked(commandId, () => collect(deps, commandId))
      backoff.succeeded(commandId)
    },
    postpone: (commandId) => backoff.failed(commandId),
    describe: (commandId) => ({ command_id: commandId }),
    // Each item counts as an account of its own: the API server keeps all accounts in one place.
    accountsOf: (commandId) => [commandId],
    isOutage: (error) => isKubeError(error, 'transient', 'throttled'),
  }
  return reportingBacklog(
    (signal) => drain({ clock, eachItem }, steps, signal),
    async () => {
      const { rows, oldestSeconds } = await store.collectableBacklog(settings)
      const failing = backoff.size()
      return { due: Math.max(0, rows - failing - kept.size), failing, oldestSeconds }
    },
    (backlog) => metrics.sweepBacklog('resource', backlog),
  )
}

async function collect(deps: FinishedSweepDeps, commandId: string): Promise<void> {
  const { caches } = deps
  // An applied object that the cache does not show is found by the comparison of cache and rows.
  const at = (name: string) => ({ namespace: caches.home, name })
  const command =
    caches.commandsOf(commandId)[0] ??
    (await caches.commands.refresh(at(customResourceName(commandId)))) ??
    (await caches.storedFiles.refresh(at(customResourceName(commandId, storedFileKind))))
  // If another write came between, the next pass finds it again.
  if (command !== null && (await deleteResource(deps, command)).kind !== 'done') return
  await effect(deps, 'operator.deletion_recorded', () => deps.store.markResourceDeleted(commandId))
  deps.timers.forget(commandId)
  deps.metrics.swept('resource')
}
