import { evictedByQueue, failures } from '../../common/domain/failures.ts'
import type { OutcomeCommit } from '../../common/store/attempts.ts'
import type { Action } from '../decide/actions.ts'
import { again, effect, recordEvent } from './apply-context.ts'
import type { Applied, ApplyDeps } from './apply-context.ts'
import type { Situation } from '../decide/snapshot.ts'
import { outcomeFromResult } from '../status/outcome-from-result.ts'
import { restoreKept, storageDifference } from './restore-outcome.ts'
import type { Evidence } from '../status/verdict.ts'

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>

/** An end without a report, by the same statement and under the same guard as a reported end. */
export async function commitFailure(
  deps: ApplyDeps,
  { attempt, errorStatus, message, evidence }: ActionOf<'commitFailure'>,
  { row }: Situation,
): Promise<Applied> {
  if (row === null) return again
  const outcome = { status: 'FAILED', errorStatus, errorMessage: message } as const
  return commit(deps, { ...silent, commandId: row.commandId, attempt, outcome }, evidence)
}

export async function commitResult(
  deps: ApplyDeps,
  { row, attempt, result, evidence }: ActionOf<'commitResult'>,
): Promise<Applied> {
  const { commandId } = row
  const outcome =
    (await storageDifference(deps, row, attempt, result)) ??
    outcomeFromResult(result, row, attempt, () => deps.effects.newId())
  const { steps, usage, logs } = result
  return commit(deps, { commandId, attempt, outcome, steps, usage, logs }, evidence)
}

const silent = { steps: null, usage: null, logs: [] }

async function commit(
  deps: ApplyDeps,
  outcome: OutcomeCommit,
  evidence: Evidence,
): Promise<Applied> {
  const committed = await effect(deps, 'operator.outcome_committed', () =>
    deps.store.commitOutcome(outcome),
  )
  const failed = outcome.outcome.status === 'FAILED' ? outcome.outcome : null
  deps.logger.info('decided an outcome from the facts', {
    command_id: outcome.commandId,
    attempt: outcome.attempt,
    result: committed.kind,
    status: outcome.outcome.status,
    error_status: failed?.errorStatus,
    fault: failed === null ? undefined : failures[failed.errorStatus].fault,
    evidence,
  })
  return again
}

export async function loseAttempt(
  deps: ApplyDeps,
  { evidence, loss }: ActionOf<'loseAttempt'>,
  { command, row }: Situation,
): Promise<Applied> {
  if (row === null) return again
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
  if (loss.reason === 'NotResized') deps.warm.resizeRefused(evidence.node ?? null)
  deps.logger.warn('an attempt was lost', {
    command_id: commandId,
    account: row.accountName,
    attempt: loss.attempt ?? loss.podUid,
    round: loss.round,
    reason: loss.reason,
    next: lost,
    evidence,
  })
  if (command !== null) {
    const pod = evidence.pod === undefined ? '' : `, pod ${evidence.pod}`
    const action = 'ended' in lost ? 'GiveUp' : 'TryAgain'
    const isEvicted = loss.reason === evictedByQueue
    recordEvent(deps, command, {
      type: isEvicted ? 'Normal' : 'Warning',
      reason: isEvicted ? 'Evicted' : 'RunnerLost',
      action,
      note: isEvicted
        ? `Kueue suspended the Job again${pod}`
        : `Attempt lost (${loss.reason})${pod}`,
    })
  }
  return again
}
