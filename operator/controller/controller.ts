import { createApply } from '../apply/apply.ts'
import { createKeyLocks } from '../machinery/key-locks.ts'
import { createWorkQueue } from '../machinery/work-queue.ts'
import type { WorkQueue } from '../machinery/work-queue.ts'
import { createStatusSync } from '../loops/sync-status.ts'
import { createChangedCommands } from './changed-commands.ts'
import type { RowChange } from './changed-commands.ts'
import type { ControllerDeps } from './controller-deps.ts'
import { createControllerLoops } from './controller-loops.ts'
import { createControllerParts } from './controller-parts.ts'
import { createReconcileFailures } from './reconcile-failures.ts'
import { createReconcileOne } from './reconcile-one.ts'

/** All that only the leader does. */
export interface Controller {
  /** Works until the signal aborts and what was under way has ended; never rejects. Once per object and term. */
  run(signal: AbortSignal): Promise<void>
  /** A row has changed, as the gateway of this process knows first. */
  rowChanged(commandId: string, what?: RowChange): void
}

const drainMs = 5_000

export function createController(deps: ControllerDeps): Controller {
  const { caches, effects, hints, logger, metrics, settings, store } = deps
  const { clock } = effects
  const parts = createControllerParts(deps, {
    enqueue: (commandId, lane) => queue.add(commandId, lane),
    reconcile: (commandId, signal) => reconcileOne(commandId, signal),
    wakeAdmission: () => loops.admit.wake(),
    refillWarm: (delayMs) => void clock.schedule(delayMs, () => loops.refill.wake()),
  })
  const { admission, apply, podRefusals, showTurns } = parts
  const failures = createReconcileFailures({ clock, metrics, logger })
  const mirrored = createStatusSync({ store, clock, enqueue: (row) => changed.rowDiffers(row) })
  const locked = createKeyLocks()
  const reconcile = createReconcileOne({
    ...apply,
    apply: createApply(apply),
    admission,
    podRefusals,
    settings,
    rowSeen: (row) => mirrored.seen(row),
    onOutage: (error) => failures.outage(error),
  })
  // The queue, the sweep and the comparison of a restored database may meet at a command.
  const reconcileOne: typeof reconcile = (commandId, signal) =>
    locked(commandId, () => {
      changed.reconciling(commandId)
      return reconcile(commandId, signal)
    })
  const queue: WorkQueue = createWorkQueue({
    work: reconcileOne,
    onError: (commandId, error, tries) => failures.failed(commandId, error, tries),
    clock,
    random: () => effects.random(),
    metrics: deps.queueMetrics,
  })
  const changed = createChangedCommands({
    ...deps,
    ...parts,
    queue,
    onStarted: (commandId) => admission.started(commandId),
  })
  const loops = createControllerLoops(deps, parts, { changed, mirrored, locked })

  let isRunning = false
  return {
    async run(signal) {
      isRunning = true
      const unsubscribe = [
        caches.subscribe((commandId, change) => changed.objectChanged(commandId, change)),
        hints.subscribe('mirror', () => loops.mirror.hint()),
        deps.waiters.onChange(() => loops.refill.hint()),
      ]
      queue.start()
      await Promise.all(loops.all.map((each) => each.run(signal)))
      for (const stop of unsubscribe) stop()
      showTurns.stop()
      isRunning = false
      const left = await queue.drain(drainMs)
      logger.debug('stopped reconciling commands', { left: left.length })
    },
    // A follower's queue is never emptied.
    rowChanged(commandId, what = 'state') {
      if (isRunning) changed.rowChanged(commandId, what)
    },
  }
}
