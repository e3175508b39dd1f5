import { backoff, halfJitter } from '../../common/runtime/backoff.ts'

/** How one attempt to call the service ended without success. */
export interface FailedAttempt {
  /** The first one is 1. */
  readonly attempt: number
  /** `null`: no answer. */
  readonly status: number | null
  readonly retryAfterSeconds: number | null
  /** The call is idempotent: it may be repeated although its first attempt may have had its effect. */
  readonly repeatable: boolean
  /** A value in [0, 1) spreads clients that failed together. */
  readonly random: number
}

const attempts = 5
const waits = { first: 500, longest: 60_000, jitter: halfJitter }
/** With a longer Retry-After the call rejects with the error, and the caller decides. */
const longestWaitSeconds = 60

/**
 * Milliseconds until the next attempt; `null` if the answer is final. A 429 has no effect, so every
 * call may be retried; without an answer or after 502, 503 or 504 only a repeatable call may. A 409
 * with Retry-After means that our own first attempt is still in flight.
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
