import { isErrorStatus } from '../../common/domain/failures.ts'
import { processingBytes } from '../../common/domain/quota.ts'
import type { Result, Step } from '../../common/gateway/messages.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { RecordedResult, ShownOutcome } from '../../common/store/attempts.ts'
import type { FfmpegCommandStatus } from '../../crds/ffmpegcommand.ts'
import type { StoredFileStatus } from '../../crds/storedfile.ts'
import type { ActionOf } from '../decide/actions.ts'
import type { RecordedSnapshot } from '../decide/snapshot.ts'
import { differingObjects } from '../../common/storage/differing-objects.ts'
import type { Outcome } from '../../common/store/attempts.ts'
import { expectedObjects, outputPrefix, storageError } from '../status/stored-outputs.ts'
import { outcomeFromResult } from '../status/outcome-from-result.ts'
import { reportOf } from '../status/pod-end.ts'
import { again, effect, resourceOf } from './apply-context.ts'
import type { Applied, ApplyDeps } from './apply-context.ts'
import type { HistoryMetrics, RestoreSource } from './history-metrics.ts'

export interface RestoreDeps extends Pick<ApplyDeps, 'term' | 'effects' | 'logger'> {
  readonly store: Pick<ApplyDeps['store'], 'restoreOutcome'>
  readonly results: Pick<ApplyDeps['results'], 'find'>
  readonly metrics: Pick<HistoryMetrics, 'outcomeRestored' | 'shownOutcomeLost'>
}

const storeAgain: Applied = { kind: 'later', afterMs: 3_000 }

/**
 * The database lost the end that the custom resource shows. A FAILED is recorded again from the status
 * alone, a SUCCESS from its result object; where that was never stored, from the pod's termination
 * message.
 */
export async function recordShownOutcome(
  deps: ApplyDeps,
  { command }: ActionOf<'recordShownOutcome'>,
  snapshot: RecordedSnapshot,
): Promise<Applied> {
  const { row } = snapshot
  const { namespace, name } = command.metadata
  const object = await resourceOf(deps, command.kind).get(namespace, name)
  const status = object?.status
  if (status === undefined) return again
  const attempt = status.attempt ?? null
  if (status.state === 'FAILED' || attempt === null) {
    return restore(deps, failedAsShown(row, status), 'custom_resource')
  }
  const kept = await restoreKept(deps, row, attempt)
  if (kept !== null) return kept
  const pods = [...snapshot.pods, ...snapshot.gonePods]
  const pod = pods.find(({ metadata }) => metadata.uid === attempt)
  const result = pod === undefined ? null : reportOf(pod)
  if (pod !== undefined && result !== null) {
    return restoreReport(deps, { row, attempt, jobGeneration: pod.jobGeneration, result })
  }
  deps.metrics.shownOutcomeLost()
  return restore(deps, failedAsShown(row, status), 'custom_resource')
}

/** A runner of this generation has reported, and the row does not know that it was given the command. */
export async function restoreReported(
  deps: ApplyDeps,
  { attempt, result }: ActionOf<'restoreReported'>,
  { row }: RecordedSnapshot,
): Promise<Applied> {
  // The runner's report may not have been accepted: users have seen nothing of it, so the objects are compared.
  const different = await storageDifference(deps, row, attempt, result)
  const outcome = different?.status === 'FAILED' ? different : result.outcome
  return restoreReport(deps, {
    row,
    attempt,
    jobGeneration: row.jobGeneration,
    result: { ...result, outcome },
  })
}

/** @returns null if the attempt has no result object */
export async function restoreKept(
  deps: RestoreDeps,
  { accountId, commandId }: Pick<ReconcileRow, 'accountId' | 'commandId'>,
  attempt: string,
): Promise<Applied | null> {
  const result = await deps.results.find({ accountId, commandId, attempt })
  if (result === 'unavailable') return storeAgain
  return result === null ? null : restore(deps, shownBy(result), 'result_object')
}

export function shownBy({ files, warnings = [], round, ...result }: RecordedResult): ShownOutcome {
  return { ...result, jobGeneration: round, outcome: { status: 'SUCCESS', files, warnings } }
}

function restoreReport(
  deps: ApplyDeps,
  report: { row: ReconcileRow; attempt: string; jobGeneration: number; result: Result },
): Promise<Applied> {
  const { row, attempt, jobGeneration, result } = report
  const outcome = outcomeFromResult(result, row, attempt, () => deps.effects.newId())
  const { commandId } = row
  const { steps, usage } = result
  const shown = {
    commandId,
    attempt,
    jobGeneration,
    outcome,
    steps,
    startedAt: null,
    finishedAt: null,
    attempts: row.attempts + 1,
    ffmpegRunSeconds: usage.ffmpegRunSeconds,
    processingBytes: processingBytes(outcome, usage),
  }
  return restore(deps, shown, 'termination_message')
}

async function restore(
  deps: RestoreDeps,
  shown: ShownOutcome,
  from: RestoreSource,
): Promise<Applied> {
  const restored = await effect(deps, 'operator.outcome_restored', () =>
    deps.store.restoreOutcome(shown),
  )
  const { commandId, attempt, outcome } = shown
  if (restored === 'restored') deps.metrics.outcomeRestored(from)
  if (restored === 'swept') deps.metrics.shownOutcomeLost()
  deps.logger.warn('outcome restored after the database lost its commit', {
    command_id: commandId,
    attempt,
    status: outcome.status,
    from,
    result: restored,
  })
  if (restored !== 'swept') return again
  const gone = { status: 'FAILED', ...restoredTooLate } as const
  return restore(deps, { ...shown, outcome: gone }, 'custom_resource')
}

const restoredTooLate = {
  errorStatus: 'INTERNAL_ERROR',
  errorMessage: 'The database was restored to a time before the end of this command',
} as const

function failedAsShown(
  row: ReconcileRow,
  status: FfmpegCommandStatus | StoredFileStatus,
): ShownOutcome {
  const { errorStatus = '', errorMessage } = status
  const steps = 'steps' in status ? status.steps : []
  const attempt = status.attempt ?? null
  return {
    commandId: row.commandId,
    attempt,
    jobGeneration: row.jobGeneration,
    attempts: status.attempts ?? 0,
    startedAt: status.startedAt ?? null,
    finishedAt: status.finishedAt ?? null,
    steps: (steps ?? []).map(stepOf),
    ffmpegRunSeconds: null,
    processingBytes: 0,
    outcome: isErrorStatus(errorStatus)
      ? {
          status: 'FAILED',
          errorStatus,
          errorMessage: errorMessage ?? restoredTooLate.errorMessage,
        }
      : { status: 'FAILED', ...restoredTooLate },
  }
}

type ShownStep = NonNullable<FfmpegCommandStatus['steps']>[number]

function stepOf(step: ShownStep): Step {
  return {
    index: step.index,
    status: step.status,
    progress_percent: step.progressPercent ?? null,
    ffmpeg_command_run_seconds: step.runSeconds ?? null,
    exit_code: step.exitCode ?? null,
  }
}

/** The runner is gone and cannot store a differing object again. */
export async function storageDifference(
  deps: Pick<ApplyDeps, 'storage'>,
  row: ReconcileRow,
  attempt: string,
  { outcome }: Result,
): Promise<Outcome | null> {
  const prefix = outputPrefix(row, attempt)
  if (outcome.status === 'FAILED' || prefix === null) return null
  const [first] = await differingObjects(deps.storage, prefix, expectedObjects(outcome))
  return first === undefined ? null : storageError(first)
}
