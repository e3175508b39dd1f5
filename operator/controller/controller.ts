import { createAdmission } from '../loops/admit.ts'
import { createApply } from '../apply/apply.ts'
import type { ApplyDeps } from '../apply/apply-context.ts'
import { createShowTurns } from '../apply/show-turns.ts'
import { createCommandTimers } from '../apply/command-timers.ts'
import { resync } from '../loops/resync.ts'
import { createImportRoom } from '../import/import-room.ts'
import { createImport } from '../import/import.ts'
import { createLoop, createPacedLoop } from '../../common/runtime/loop.ts'
import type { PaceOptions } from '../../common/runtime/pace.ts'
import type { Loop } from '../../common/runtime/loop.ts'
import { createKeyLocks } from '../machinery/key-locks.ts'
import { createWorkQueue } from '../machinery/work-queue.ts'
import type { WorkQueue } from '../machinery/work-queue.ts'
import { createHistoryGate } from '../loops/compare-history.ts'
import { createResultKeeper } from '../apply/result-keeper.ts'
import { restoreKept } from '../apply/restore-outcome.ts'
import { createWarmPool } from '../warm/warm-pool.ts'
import { wantedStandbys } from '../warm/offer-shares.ts'
import { createStatusSync } from '../loops/sync-status.ts'
import { createPodRefusals } from '../observe/pod-refusals.ts'
import type { ControllerDeps } from './controller-deps.ts'
import { createChangedCommands } from './changed-commands.ts'
import type { RowChange } from './changed-commands.ts'
import { createReconcileFailures } from './reconcile-failures.ts'
import { createUpkeep } from './upkeep.ts'
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
  const { caches, effects, logger, metrics, settings, store } = deps
  const { clock } = effects
  const loop = (
    name: string,
    everyMs: number,
    work: (signal: AbortSignal) => Promise<void>,
  ): Loop => createLoop({ name, everyMs, work, effects, logger })

  const failures = createReconcileFailures({ clock, metrics, logger })
  const results = createResultKeeper({ ...deps, enabled: settings.resultObjects })
  const history = createHistoryGate({
    ...deps,
    reconcile: (commandId, signal) => reconcileOne(commandId, signal),
    restoreKept: (row, attempt) => restoreKept({ ...deps, results }, row, attempt),
  })
  const timers = createCommandTimers(clock, (why) => deps.warmMetrics.resizePending(why))
  const podRefusals = createPodRefusals({ events: deps.events, clock, logger })
  const admission = createAdmission({
    ...deps,
    refusalOf: (commandId, jobGeneration) => timers.refusal(commandId, jobGeneration),
    secondsWithoutPod: (commandId) => timers.secondsWithoutPod(commandId),
    podRefusalOf: (job) => podRefusals.lastOf(job),
    compared: (signal) => history.compared(signal),
    settings: settings.admission,
    onChosen: (chosen) => warm.admitting(wantedStandbys(chosen, settings.runner)),
    onReturned: (commandIds) => commandIds.forEach((commandId) => queue.add(commandId)),
    onAdmitted: (commandIds) => commandIds.forEach((commandId) => queue.add(commandId)),
    wake: () => admit.wake(),
  })
  const room = createImportRoom({ ...deps, clock, wake: (commandId) => queue.add(commandId) })
  const showTurns = createShowTurns({
    throttle: deps.throttle,
    clock,
    wake: (commandId) => queue.add(commandId, 'progress'),
  })
  const warm = createWarmPool({
    ...deps,
    metrics: deps.warmMetrics,
    settings: { runner: settings.runner, liveJobs: settings.admission.liveJobs },
    wakeAfter: (delayMs) => void clock.schedule(delayMs, () => refill.wake()),
  })
  const applyDeps: ApplyDeps = {
    ...deps,
    warm,
    showTurns,
    timers,
    results,
    importCommand: createImport({
      ...deps,
      results,
      room,
      imports: settings.imports,
    }),
    wakeAdmission: () => admit.wake(),
  }
  const locked = createKeyLocks()
  const reconcile = createReconcileOne({
    ...applyDeps,
    apply: createApply(applyDeps),
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
    queue,
    room,
    showTurns,
    timers,
    onStarted: (commandId) => admission.started(commandId),
  })

  const paced = (
    name: string,
    pace: PaceOptions,
    work: (signal: AbortSignal) => Promise<boolean>,
  ): Loop => createPacedLoop({ name, ...pace, work, effects, logger })
  // Caches wake admission; what they do not show, such as a backoff that ends, is polled.
  const admit = paced(
    'admission',
    { everyMs: 1_000, longestMs: () => 2 * deps.hints.longestMs() },
    (signal) => admission.admitWaiting(signal),
  )
  const mirrored = createStatusSync({ store, clock, enqueue: (row) => changed.rowDiffers(row) })
  const { shortestMs, longestMs } = deps.hints
  const mirror = paced('mirror', { everyMs: 500, shortestMs, longestMs }, (signal) =>
    mirrored.pass(signal),
  )
  const refill = loop('warm', 1_000, (signal) => warm.pass(signal))
  const found = (commandId: string, final: boolean): void =>
    changed.enqueue(commandId, final ? 'finished' : 'live')
  const loops = [
    admit,
    mirror,
    refill,
    loop('imports', 5_000, (signal) => room.look(signal)),
    loop('drift', 5 * 60_000, (signal) => resync({ store, caches, enqueue: found }, signal)),
    ...createUpkeep({
      controller: deps,
      apply: applyDeps,
      results,
      locked,
      compared: (signal) => history.compared(signal),
    }),
  ]

  let isRunning = false
  return {
    async run(signal) {
      isRunning = true
      const unsubscribe = caches.subscribe((commandId, change) =>
        changed.objectChanged(commandId, change),
      )
      const unhint = deps.hints.subscribe('mirror', () => mirror.hint())
      const unwatch = deps.waiters.onChange(() => refill.hint())
      queue.start()
      await Promise.all(loops.map((each) => each.run(signal)))
      unsubscribe()
      unhint()
      unwatch()
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
