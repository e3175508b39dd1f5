import { countedApart, evictedByQueue, sandboxUnavailable } from '../../domain/failures.ts'
import type { ErrorStatus } from '../../domain/failures.ts'
import type { LostAttempt } from '../../store/reconcile.ts'

/** The columns of a command's row about the attempts before this loss. */
export interface LossRow {
  readonly jobGeneration: number
  readonly attempt: string | null
  readonly final: boolean
  readonly lostAttempts: readonly string[]
  readonly lossReasons: readonly string[]
  readonly chargedLosses: number
}

export interface Loss {
  /** The pod to fence; null where none is known. */
  readonly podUid: string | null
  readonly jobGeneration: number
  readonly end: { readonly errorStatus: ErrorStatus; readonly errorMessage: string } | null
}

/**
 * The consequence of a lost attempt; null if the row has changed, since another writer was first. If
 * every attempt crashed in the same way, the runner is at fault (INTERNAL_ERROR); other losses that
 * use up the attempts are failures of pods and nodes (RUNNER_LOST).
 */
export function lossOf(row: LossRow, lost: LostAttempt): Loss | null {
  const admitted = row.jobGeneration > 0
  const current = row.jobGeneration === lost.jobGeneration && row.attempt === lost.attempt
  if (row.final || !admitted || !current) return null
  const podUid = lost.attempt ?? lost.podUid
  // A pod can be lost only once; without this check a retried call would use up two attempts.
  if (podUid !== null && row.lostAttempts.includes(podUid)) return null
  const before = row.lossReasons.filter((reason) => countOf(reason) === countOf(lost.reason))
  const losses = before.length + 1
  // Without a pod's UID, only a new generation makes the guard of a retried call fail.
  const jobGeneration =
    lost.sameGeneration && podUid !== null ? row.jobGeneration : row.jobGeneration + 1
  if (losses < lost.maxAttempts) return { podUid, jobGeneration, end: null }
  const isEviction = lost.reason === evictedByQueue
  return {
    podUid,
    jobGeneration,
    end: isEviction ? evictedTooOften(losses) : endOf(row, lost, before),
  }
}

/** The losses that a loss is counted with. */
function countOf(reason: string): string {
  return countedApart.includes(reason) ? reason : 'other'
}

function evictedTooOften(evictions: number): NonNullable<Loss['end']> {
  return {
    errorStatus: 'RUNNER_LOST',
    errorMessage: `The queue of the cluster evicted the runner ${times(evictions)}`,
  }
}

/** @param before reasons of the losses before this one that it is counted with */
function endOf(
  row: LossRow,
  lost: LostAttempt,
  before: readonly string[],
): NonNullable<Loss['end']> {
  const losses = times(before.length + 1)
  // The nodes' fault, and no bug: the administrator has to read which one.
  if ([...before, lost.reason].every((reason) => reason === sandboxUnavailable)) {
    return {
      errorStatus: 'RUNNER_LOST',
      errorMessage: `The runner was lost ${losses}: the nodes cannot confine FFmpeg`,
    }
  }
  const alwaysTheSame =
    before.length > 0 &&
    lost.charged &&
    row.chargedLosses === before.length &&
    before.every((reason) => reason === lost.reason)
  return alwaysTheSame
    ? { errorStatus: 'INTERNAL_ERROR', errorMessage: 'Internal error' }
    : { errorStatus: 'RUNNER_LOST', errorMessage: `The runner was lost ${losses}` }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
