import { evictedByQueue, failures } from '../../common/domain/failures.ts'
import type { ErrorStatus } from '../../common/domain/failures.ts'
import type { Committed, OutcomeCommit } from '../../common/store/attempts.ts'
import type { StageTime } from '../../common/store/lifecycle/stage-times.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { ActionOf } from '../decide/actions.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { startStages } from '../observe/pod-stages.ts'
import { again, effect, recordEvent } from './apply-context.ts'
import type { Applied, ApplyDeps } from './apply-context.ts'
import type { RecordedSnapshot } from '../decide/snapshot.ts'
import { outcomeFromResult } from '../status/outcome-from-result.ts'
import { restoreKept, storageDifference } from './restore-outcome.ts'
import type { Evidence } from '../status/verdict.ts'

/** An end without a report, by the same statement and under the same guard as a reported end. */
export async function commitFailure(
  deps: ApplyDeps,
  { attempt, errorStatus, message, evidence, cancelledBy = null }: ActionOf<'commitFailure'>,
  { row, generation, now }: RecordedSnapshot,
): Promise<Applied> {
  const outcome = { status: 'FAILED', errorStatus, errorMessage: message } as const
  const ended = { ...silent, commandId: row.commandId, attempt, outcome, cancelledBy }
  const { kind } = await commit(deps, ended, evidence)
  if (kind === 'committed' && attempt === null && row.commandType !== 'STORED_FILE') {
    const pod = generation.pods.toSorted(byCreation).at(-1)
    deps.metrics.startEnded(
      pod === undefined
        ? startWithoutPod(row, errorStatus)
        : startStages(pod, new Date(now), 'failed'),
    )
  }
  return again
}

function byCreation(one: PodFacts, other: PodFacts): number {
  return Date.parse(one.times.created ?? '') - Date.parse(other.times.created ?? '')
}

/** Among ends without a pod this one alone says that a Job has waited for one. */
function startWithoutPod(
  { secondsSinceGeneration }: ReconcileRow,
  errorStatus: ErrorStatus,
): readonly StageTime[] {
  if (errorStatus !== 'START_TIMEOUT') return []
  return [{ stage: 'schedule', outcome: 'failed', seconds: secondsSinceGeneration ?? 0 }]
}

export async function commitResult(
  deps: ApplyDeps,
  { attempt, result, evidence }: ActionOf<'commitResult'>,
  { row }: RecordedSnapshot,
): Promise<Applied> {
  const { commandId } = row
  const outcome =
    (await storageDifference(deps, row, attempt, result)) ??
    outcomeFromResult(result, row, attempt, () => deps.effects.newId())
  const { steps, usage, logs } = result
  await commit(deps, { commandId, attempt, outcome, steps, usage, logs }, evidence)
  return again
}

const silent = { steps: null, usage: null, logs: [] }

async function commit(
  deps: ApplyDeps,
  outcome: OutcomeCommit,
  evidence: Evidence,
): Promise<Committed> {
  const committed = await effect(deps, 'operator.outcome_committed', () =>
    deps.store.commitOutcome(outcome),
  )
  const failed = outcome.outcome.status === 'FAILED' ? outcome.outcome : null
  deps.logger.info('outcome inferred from pod state', {
    command_id: outcome.commandId,
    attempt: outcome.attempt,
    result: committed.kind,
    status: outcome.outcome.status,
    error_status: failed?.errorStatus,
    fault: failed === null ? undefined : failures[failed.errorStatus].fault,
    evidence,
  })
  return committed
}

export async function loseAttempt(
  deps: ApplyDeps,
  { command, evidence, loss }: ActionOf<'loseAttempt'>,
  { row, now }: RecordedSnapshot,
): Promise<Applied> {
  const { commandId } = row
  // A restored database may know of an attempt that it runs, and not of its SUCCESS.
  const attempt = loss.attempt ?? loss.podUid
  const kept = attempt === null ? null : await restoreKept(deps, row, attempt)
  if (kept !== null) return kept
  const lost = await effect(deps, 'operator.attempt_lost', () =>
    deps.store.loseAttempt({ commandId, ...loss }),
  )
  if (lost === null) return again
  deps.metrics.attemptLost(loss.reason)
  const pod = loss.podUid === null ? null : deps.caches.podByUid(loss.podUid)
  if (loss.attempt === null && pod !== null && row.commandType !== 'STORED_FILE') {
    deps.metrics.startEnded(startStages(pod, new Date(now), 'lost'))
  }
  if (loss.reason === 'NotResized') deps.warm.resizeRefused(evidence.node ?? null)
  deps.logger.warn('an attempt was lost', {
    command_id: commandId,
    account: row.accountName,
    attempt: loss.attempt ?? loss.podUid,
    round: loss.jobGeneration,
    reason: loss.reason,
    next: lost,
    evidence,
  })
  const isEvicted = loss.reason === evictedByQueue
  const what = isEvicted ? 'Kueue suspended the Job again' : `Attempt lost (${loss.reason})`
  recordEvent(deps, command, {
    type: isEvicted ? 'Normal' : 'Warning',
    reason: isEvicted ? 'Evicted' : 'RunnerLost',
    action: 'ended' in lost ? 'GiveUp' : 'TryAgain',
    note: evidence.pod === undefined ? what : `${what}, pod ${evidence.pod}`,
  })
  return again
}
