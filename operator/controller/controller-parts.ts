import { createAdmission } from '../loops/admit.ts'
import { createHistoryGate } from '../loops/compare-history.ts'
import type { ApplyDeps } from '../apply/apply-context.ts'
import { createCommandTimers } from '../apply/command-timers.ts'
import { restoreKept } from '../apply/restore-outcome.ts'
import { createResultKeeper } from '../apply/result-keeper.ts'
import { createShowTurns } from '../apply/show-turns.ts'
import { createImport } from '../import/import.ts'
import { createImportRoom } from '../import/import-room.ts'
import type { Lane } from '../machinery/lanes.ts'
import { createPodRefusals } from '../observe/pod-refusals.ts'
import { wantedWarmRunners } from '../warm/offer-shares.ts'
import { createWarmPool } from '../warm/warm-pool.ts'
import type { ControllerDeps } from './controller-deps.ts'

/** Calls of the parts to the queue and the loops, which are made of these parts. */
export interface ControllerCalls {
  readonly enqueue: (commandId: string, lane?: Lane) => void
  /** Reconciles a command now, outside the queue. */
  readonly reconcile: (commandId: string, signal: AbortSignal) => Promise<unknown>
  readonly wakeAdmission: () => void
  readonly refillWarm: (delayMs: number) => void
}

export type ControllerParts = ReturnType<typeof createControllerParts>

/** State of one term: what the leader remembers of commands, the queue, results and warm runners. */
export function createControllerParts(deps: ControllerDeps, calls: ControllerCalls) {
  const { logger, settings } = deps
  const { clock } = deps.effects
  const results = createResultKeeper({ ...deps, enabled: settings.resultObjects })
  const history = createHistoryGate({
    ...deps,
    reconcile: calls.reconcile,
    restoreKept: (row, attempt) => restoreKept({ ...deps, results }, row, attempt),
  })
  const timers = createCommandTimers(clock, (why) => deps.warmMetrics.resizePending(why))
  const podRefusals = createPodRefusals({ events: deps.events, clock, logger })
  const wakeAll = (commandIds: readonly string[]): void =>
    commandIds.forEach((commandId) => calls.enqueue(commandId))
  const warm = createWarmPool({
    ...deps,
    metrics: deps.warmMetrics,
    settings: { runner: settings.runner, liveJobs: settings.admission.liveJobs },
    wakeAfter: calls.refillWarm,
  })
  const admission = createAdmission({
    ...deps,
    refusalOf: (commandId, jobGeneration) => timers.refusal(commandId, jobGeneration),
    secondsWithoutPod: (commandId) => timers.secondsWithoutPod(commandId),
    podRefusalOf: (job) => podRefusals.lastOf(job),
    compared: (signal) => history.compared(signal),
    settings: settings.admission,
    onChosen: (chosen) => warm.admitting(wantedWarmRunners(chosen, settings.runner)),
    onReturned: wakeAll,
    onAdmitted: wakeAll,
    wake: calls.wakeAdmission,
  })
  const room = createImportRoom({ ...deps, clock, wake: (commandId) => calls.enqueue(commandId) })
  const showTurns = createShowTurns({
    throttle: deps.throttle,
    clock,
    wake: (commandId) => calls.enqueue(commandId, 'progress'),
  })
  const apply: ApplyDeps & Pick<ControllerDeps, 'metrics'> = {
    ...deps,
    warm,
    showTurns,
    timers,
    results,
    importCommand: createImport({ ...deps, results, room, imports: settings.imports }),
    wakeAdmission: calls.wakeAdmission,
  }
  return { results, history, timers, podRefusals, warm, admission, room, showTurns, apply }
}
