import type { Plans } from '../../common/domain/plans.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { createAdmission } from '../loops/admit.ts'
import type { CacheChange } from '../observe/caches.ts'
import { isSuspendedByQueue } from '../observe/job-facts.ts'
import { isUndisturbed } from '../observe/pod-facts.ts'
import type { AdmissionSettings } from '../loops/admit.ts'
import { createApply } from '../apply/apply.ts'
import type { RequestThrottle } from '../../common/kubernetes/throttle/request-throttle.ts'
import type { ApplyDeps } from '../apply/apply-context.ts'
import { createShowTurns } from '../apply/show-turns.ts'
import { createCommandMemory } from '../apply/command-timers.ts'
import { createLogStorage } from '../loops/store-logs.ts'
import { findDrift } from '../loops/resync.ts'
import { createImportRoom } from '../apply/import-room.ts'
import { createImport } from '../apply/import.ts'
import { createLoop, createPacedLoop } from '../../common/runtime/loop.ts'
import type { WorkHints } from '../../common/store/hints.ts'
import type { PaceOptions } from '../../common/runtime/pace.ts'
import type { Loop } from '../../common/runtime/loop.ts'
import { LeadershipLost } from '../machinery/election/leader.ts'
import { createKeyLocks } from '../machinery/key-locks.ts'
import type { Lane } from '../machinery/lanes.ts'
import type { WorkQueueMetrics } from '../machinery/work-queue-metrics.ts'
import { createWorkQueue } from '../machinery/work-queue.ts'
import type { WorkQueue } from '../machinery/work-queue.ts'
import { createHistoryGate } from '../loops/compare-history.ts'
import { createResultKeeper } from '../apply/result-keeper.ts'
import type { ResultKeeperDeps } from '../apply/result-keeper.ts'
import { restoreKept } from '../apply/restore-outcome.ts'
import { recordLost } from '../observe/shown-status.ts'
import { createWarmPool } from '../warm/warm-pool.ts'
import { wantedStandbys } from '../warm/offer-shares.ts'
import type { StandbyWaiters } from '../warm/standby-waiters.ts'
import type { WarmMetrics } from '../warm/warm-metrics.ts'
import { createMirror } from '../loops/sync-status.ts'
import { createWorkloadMessages } from '../kueue/read-workloads.ts'
import type { WorkloadMessagesDeps } from '../kueue/read-workloads.ts'
import { createReconcileOne } from './reconcile-one.ts'
import type { ReconcileSettings } from '../decide/snapshot.ts'
import { createFinishedSweep } from '../loops/sweep-finished.ts'
import type { FinishedSettings } from '../loops/sweep-finished.ts'
import { createObjectSweep } from '../loops/sweep-objects.ts'
import type { SweepStorage } from '../loops/sweep-objects.ts'
import type { SweepRound } from '../loops/drain.ts'

/** All that only the leader does. */
export interface Controller {
  /** Works until the signal aborts and what was under way has ended; never rejects. Once per object and term. */
  run(signal: AbortSignal): Promise<void>
  /** A row has changed, as the gateway of this process knows first. */
  rowChanged(commandId: string): void
}

export interface ControllerDeps extends Omit<
  ApplyDeps,
  'memory' | 'results' | 'importCommand' | 'wakeAdmission' | 'showTurns' | 'warm' | 'warmMetrics'
> {
  /** Runners that wait at the gateway of this process. */
  readonly waiters: Pick<StandbyWaiters, 'offers' | 'answer' | 'onChange'>
  readonly canResize: () => Promise<boolean>
  readonly warmMetrics: WarmMetrics
  readonly throttle: RequestThrottle
  readonly plans: Plans
  readonly storage: ApplyDeps['storage'] & SweepStorage & ResultKeeperDeps['storage']
  /** One round of the sweep of deleted and failed files. */
  readonly sweepFiles: SweepRound
  /** One round of the deletion of old data and of accounts. */
  readonly retention: (signal: AbortSignal) => Promise<void>
  /** Periodic search for objects in namespaces that no release watches; null if disabled. */
  readonly noticeForeign: ((signal: AbortSignal) => Promise<void>) | null
  /** Kueue's objects of Jobs, for what these wait for; null: not read. */
  readonly workloads: WorkloadMessagesDeps['workloads']
  readonly queueMetrics: WorkQueueMetrics
  readonly hints: WorkHints
  readonly settings: ControllerSettings
}

export interface ControllerSettings extends ReconcileSettings {
  readonly defaultAccount: string
  readonly admission: AdmissionSettings
  readonly finished: FinishedSettings
  /** A SUCCESS is shown once its result object is in the bucket. */
  readonly resultObjects: boolean
  /** Objects of lost attempts are kept this long: a client may be reading one by its URL. */
  readonly sweepObjectsAfterSeconds: number
}

const drainMs = 5_000
/**
 * Debounces pod start events (four in 500 ms): reconciling each would take CPU from the runner,
 * which starts on the same node in a one-node cluster.
 */
const startingPodMs = 250

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
  const admission = createAdmission({
    ...deps,
    compared: (signal) => history.compared(signal),
    settings: settings.admission,
    onChosen: (chosen) => warm.admitting(wantedStandbys(chosen, settings.runner)),
    onAdmitted: (commandIds) => commandIds.forEach((commandId) => queue.add(commandId)),
    wake: () => admit.wake(),
  })
  const room = createImportRoom({ ...deps, clock, wake: (commandId) => queue.add(commandId) })
  const showTurns = createShowTurns({
    ...{ throttle: deps.throttle, clock },
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
    memory: createCommandMemory(clock),
    results,
    importCommand: createImport({
      ...deps,
      ...{ results, room },
      defaultAccount: settings.defaultAccount,
    }),
    wakeAdmission: () => admit.wake(),
  }
  const workloads = createWorkloadMessages({
    ...deps,
    changed: (commandId) => queue.add(commandId),
  })
  const locked = createKeyLocks()
  const reconcile = createReconcileOne({
    ...applyDeps,
    apply: createApply(applyDeps),
    admission,
    workloads,
    settings,
    onOutage: reportOutage,
  })
  // The queue, the sweep and the comparison of a restored database may meet at a command.
  const reconcileOne: typeof reconcile = (commandId, signal) =>
    locked(commandId, () => reconcile(commandId, signal))
  const queue: WorkQueue = createWorkQueue({
    work: reconcileOne,
    onError: reportError,
    clock,
    random: () => effects.random(),
    metrics: deps.queueMetrics,
  })

  const paced = (
    name: string,
    { everyMs, longestMs }: PaceOptions,
    work: (signal: AbortSignal) => Promise<boolean>,
  ): Loop => createPacedLoop({ name, everyMs, longestMs, work, effects, logger })
  /** Deletes nothing that a database which lost commits takes for garbage. */
  const compared =
    (round: SweepRound): SweepRound =>
    async (signal) => {
      await history.compared(signal)
      return round(signal)
    }
  /** Does not pause while a backlog is left. */
  const draining = (
    name: string,
    everyMs: number,
    round: SweepRound,
    longestMs: number = everyMs,
  ): Loop => {
    const sweep = paced(name, { everyMs, longestMs: () => longestMs }, async (signal) => {
      const result = await round(signal)
      if (result === 'behind') sweep.wake()
      return result !== 'idle'
    })
    return sweep
  }
  // Caches wake admission; what they do not show, such as a backoff that ends, is polled.
  const admit = paced(
    'admission',
    { everyMs: 1_000, longestMs: () => 2 * deps.hints.longestMs() },
    (signal) => admission.admitWaiting(signal),
  )
  const mirror = paced(
    'mirror',
    { everyMs: 500, longestMs: () => deps.hints.longestMs() },
    createMirror({
      ...{ store, clock },
      enqueue: (commandId, final) => enqueue(commandId, final ? 'finished' : 'progress'),
    }),
  )
  const refill = loop('warm', 1_000, (signal) => warm.round(signal))
  const loops = [
    admit,
    mirror,
    refill,
    loop('imports', 5_000, (signal) => room.look(signal)),
    loop('drift', 5 * 60_000, (signal) => findDrift({ store, caches, enqueue: resync }, signal)),
    draining(
      'sweep',
      15_000,
      compared(createFinishedSweep({ ...applyDeps, locked }, settings.finished)),
    ),
    draining(
      'sweep-objects',
      60_000,
      compared(createObjectSweep({ ...deps, results }, settings.sweepObjectsAfterSeconds)),
    ),
    draining('logs', 2_000, createLogStorage(deps), 10_000),
    draining('sweep-files', 10_000, compared(deps.sweepFiles)),
    loop('retention', 60_000, async (signal) => {
      await history.compared(signal)
      await deps.retention(signal)
    }),
    ...(deps.noticeForeign === null ? [] : [loop('foreign', 60_000, deps.noticeForeign)]),
    ...(deps.workloads === null
      ? []
      : [loop('workloads', 5_000, (signal) => workloads.round(signal))]),
    loop('figures', 15_000, async (signal) => {
      metrics.figures(await store.gauges())
      metrics.lostRecords(lostRecords(caches))
      metrics.suspendedJobs(caches.jobs.list().filter(isSuspendedByQueue).length)
      await history.compared(signal)
    }),
  ]

  let isRunning = false
  let outageReportedMs: number | null = null
  return {
    async run(signal) {
      isRunning = true
      const unsubscribe = caches.subscribe((commandId, change) => {
        if (change.type === 'deleted') {
          const { name, uid } = change.object.metadata
          deps.ownWrites.forget(change.kind, name, uid)
          room.forget(commandId)
          if (change.kind !== 'Job' && change.kind !== 'Pod') showTurns.forget(commandId)
        }
        const lane = hasEnded(commandId) ? 'finished' : 'live'
        enqueue(commandId, lane, isUrgent(change) ? 0 : startingPodMs)
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
    rowChanged: (commandId) => (isRunning ? queue.add(commandId) : undefined),
  }

  function hasEnded(commandId: string): boolean {
    const command = caches.commandsOf(commandId)[0]
    return command === undefined || command.shown.ended
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

function lostRecords({ commands, storedFiles }: ControllerDeps['caches']): number {
  return [...commands.list(), ...storedFiles.list()].filter(
    ({ shown }) => shown.reason === recordLost,
  ).length
}

function isUrgent(change: CacheChange): boolean {
  return change.kind !== 'Pod' || change.type === 'deleted' || !isUndisturbed(change.object)
}

function classOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return 'database'
  return isKubeError(error) ? error.errorClass : 'bug'
}
