import { backoff, halfJitter } from '../../../common/runtime/backoff.ts'

/** Longest Retry-After that is respected. */
const longestRetryAfterMs = 30_000
const waits = { first: 500, longest: 8_000, jitter: halfJitter }

/**
 * Exponential backoff with jitter over its upper half, so that the runners that waited for an
 * outage do not retry at the same time.
 * @param failures tries that have failed so far, from 1
 * @param random uniform in [0, 1)
 */
export function backoffMs(failures: number, random: number, retryAfterMs: number | null): number {
  return Math.max(
    backoff(waits, failures, random),
    Math.min(retryAfterMs ?? 0, longestRetryAfterMs),
  )
}

/**
 * Retry-After (RFC 9110, 10.2.3) in milliseconds; null if it is absent or invalid.
 * @param wall this host's wall clock, for the form that names a date
 */
export function retryAfterMs(header: string | undefined, wall: Date): number | null {
  if (header === undefined) return null
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - wall.getTime())
}
