import { DatabaseUnavailable } from '../../common/store/health.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { createAdmission } from '../loops/admit.ts'
import { createApply } from '../apply/apply.ts'
import type { ApplyDeps } from '../apply/apply-context.ts'
import { createShowTurns } from '../apply/show-turns.ts'
import { createCommandMemory } from '../apply/command-timers.ts'
import { findDrift } from '../loops/resync.ts'
import { createImportRoom } from '../import/import-room.ts'
import { createImport } from '../import/import.ts'
import { createLoop, createPacedLoop } from '../../common/runtime/loop.ts'
import type { PaceOptions } from '../../common/runtime/pace.ts'
import type { Loop } from '../../common/runtime/loop.ts'
import { LeadershipLost } from '../machinery/election/leader.ts'
import { createKeyLocks } from '../machinery/key-locks.ts'
import type { Lane } from '../machinery/lanes.ts'
import { createWorkQueue } from '../machinery/work-queue.ts'
import type { WorkQueue } from '../machinery/work-queue.ts'
import { createHistoryGate } from '../loops/compare-history.ts'
import { createResultKeeper } from '../apply/result-keeper.ts'
import { restoreKept } from '../apply/restore-outcome.ts'
import { createWarmPool } from '../warm/warm-pool.ts'
import { wantedStandbys } from '../warm/offer-shares.ts'
import { createMirror } from '../loops/sync-status.ts'
import { createPodRefusals } from '../observe/pod-refusals.ts'
import type { ControllerDeps } from './controller-deps.ts'
import { createUpkeep } from './upkeep.ts'
import { createReconcileOne } from './reconcile-one.ts'
import { reconcileDelayMs } from './urgency.ts'
import type { Stage } from './urgency.ts'

/** All that only the leader does. */
export interface Controller {
  /** Works until the signal aborts and what was under way has ended; never rejects. Once per object and term. */
  run(signal: AbortSignal): Promise<void>
  /** A row has changed, as the gateway of this process knows first. */
  rowChanged(commandId: string, what?: RowChange): void
}

/** `claimed`: a pod has taken the command, which frees the place of a start. Else this and `progress` have only to be shown. */
export type RowChange = 'state' | 'claimed' | 'progress'

const drainMs = 5_000
/** A status is debounced for as long from the notice on, and the end of a short command comes first. */
const noticedMs = 1_500

export function createController(deps: ControllerDeps): Controller {
  const { caches, effects, logger, metrics, settings, store } = deps
  const { clock } = effects
  const loop = (
    name: string,
    everyMs: number,
    work: (signal: AbortSignal) => Promise<void>,
  ): Loop => createLoop({ name, everyMs, work, effects, logger })

  const results = createResultKeeper({ ...deps, enabled: settings.resultObjects })
  const history = createHistoryGate({
    ...deps,
    reconcile: (commandId, signal) => reconcileOne(commandId, signal),
    restoreKept: (row, attempt) => restoreKept({ ...deps, results }, row, attempt),
  })
  const memory = createCommandMemory(clock, (why) => deps.warmMetrics.resizePending(why))
  const podRefusals = createPodRefusals({ events: deps.events, clock, logger })
  const admission = createAdmission({
    ...deps,
    refusalOf: (commandId, round) => memory.refusal(commandId, round),
    secondsWithoutPod: (commandId) => memory.secondsWithoutPod(commandId),
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
    memory,
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
  /** Changes of rows that a reconcile will show soon. */
  const noticed = new Set<string>()
  const reconcile = createReconcileOne({
    ...applyDeps,
    apply: createApply(applyDeps),
    admission,
    podRefusals,
    settings,
    rowSeen: (row) => mirrored.seen(row),
    onOutage: reportOutage,
  })
  // The queue, the sweep and the comparison of a restored database may meet at a command.
  const reconcileOne: typeof reconcile = (commandId, signal) =>
    locked(commandId, () => {
      noticed.delete(commandId)
      return reconcile(commandId, signal)
    })
  const queue: WorkQueue = createWorkQueue({
    work: reconcileOne,
    onError: reportError,
    clock,
    random: () => effects.random(),
    metrics: deps.queueMetrics,
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
  const mirrored = createMirror({
    store,
    clock,
    enqueue({ commandId, final, cancelRequested }) {
      if (final) enqueue(commandId, 'finished')
      else if (cancelRequested) enqueue(commandId, 'live')
      else if (!noticed.has(commandId)) enqueue(commandId, 'progress')
    },
  })
  const { shortestMs, longestMs } = deps.hints
  const mirror = paced('mirror', { everyMs: 500, shortestMs, longestMs }, (signal) =>
    mirrored.round(signal),
  )
  const refill = loop('warm', 1_000, (signal) => warm.round(signal))
  const loops = [
    admit,
    mirror,
    refill,
    loop('imports', 5_000, (signal) => room.look(signal)),
    loop('drift', 5 * 60_000, (signal) => findDrift({ store, caches, enqueue: resync }, signal)),
    ...createUpkeep({
      controller: deps,
      apply: applyDeps,
      results,
      locked,
      compared: (signal) => history.compared(signal),
    }),
  ]

  let isRunning = false
  let outageReportedMs: number | null = null
  return {
    async run(signal) {
      isRunning = true
      const unsubscribe = caches.subscribe((commandId, change) => {
        if (change.type === 'deleted') {
          const { metadata } = change.object
          deps.ownWrites.forget(change.kind, metadata, metadata.uid)
          room.forget(commandId)
          if (change.kind !== 'Job' && change.kind !== 'Pod') showTurns.forget(commandId)
        }
        const stage = stageOf(commandId)
        const afterMs = reconcileDelayMs(change, stage)
        if (afterMs !== null) enqueue(commandId, stage === 'live' ? 'live' : 'finished', afterMs)
      })
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
      if (!isRunning) return
      if (what === 'state') return queue.add(commandId)
      // The next start may need its place.
      if (what === 'claimed') admission.started(commandId)
      memory.statusNoticed(commandId)
      noticed.add(commandId)
      queue.addAfter(commandId, noticedMs, what === 'claimed' ? 'live' : 'progress')
    },
  }

  function stageOf(commandId: string): Stage {
    if (memory.isReleased(commandId)) return 'released'
    const command = caches.commandsOf(commandId)[0]
    if (command === undefined) return 'gone'
    return command.shown.ended ? 'ended' : 'live'
  }

  function resync(commandId: string, final: boolean): void {
    enqueue(commandId, final ? 'finished' : 'live')
  }

  function enqueue(commandId: string, lane: Lane, afterMs = 0): void {
    // The room wakes it: a read of its row for each event would find nothing.
    if (!room.isWaiting(commandId)) queue.addAfter(commandId, afterMs, lane)
  }

  /** One line for a minute of an outage, not one for each command. */
  function reportOutage(error: unknown): void {
    metrics.reconcileFailed(classOf(error))
    const nowMs = clock.monotonicMs()
    if (outageReportedMs !== null && nowMs - outageReportedMs < 60_000) return
    outageReportedMs = nowMs
    logger.warn('cannot reconcile now', { error })
  }

  function reportError(commandId: string, error: unknown, tries: number): void {
    // The Lease is lost: the next leader does the rest.
    if (error instanceof LeadershipLost) return
    metrics.reconcileFailed(classOf(error))
    logger.warn('could not reconcile', { command_id: commandId, tries, error })
  }
}

function classOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return 'database'
  return isKubeError(error) ? error.errorClass : 'bug'
}
