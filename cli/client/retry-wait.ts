import { backoff, halfJitter } from '../../common/runtime/backoff.ts'

/** How one attempt to call the service ended without success. */
export interface FailedAttempt {
  /** From 1. */
  readonly attempt: number
  /** `null`: no answer. */
  readonly status: number | null
  readonly retryAfterSeconds: number | null
  /** The call may be made again although the service perhaps did already what it asks. */
  readonly repeatable: boolean
  /** In [0, 1): spreads clients that failed together. */
  readonly random: number
}

const attempts = 5
const waits = { first: 500, longest: 60_000, jitter: halfJitter }
/** Whoever is told to wait longer is told so, and decides. */
const longestWaitSeconds = 60

/**
 * Milliseconds until the next attempt; `null`: the answer stands. A refusal by rate (429) did
 * nothing yet, so anything may be sent again; after silence or a broken gateway only what is
 * repeatable may. A 409 with Retry-After says that our own first attempt is still at work.
 */
export function retryWaitMs(failed: FailedAttempt): number | null {
  const { attempt, retryAfterSeconds, random } = failed
  if (attempt >= attempts || !passes(failed)) return null
  if (retryAfterSeconds !== null && retryAfterSeconds > longestWaitSeconds) return null
  const growing = backoff(waits, attempt, random)
  return Math.max(growing, (retryAfterSeconds ?? 0) * 1_000)
}

function passes({ status, repeatable, retryAfterSeconds }: FailedAttempt): boolean {
  if (status === 429) return true
  if (!repeatable) return false
  if (status === 409) return retryAfterSeconds !== null
  return status === null || [502, 503, 504].includes(status)
}
