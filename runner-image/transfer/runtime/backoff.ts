/** Longest wait that a server may ask for by Retry-After. */
const longestRetryAfterMs = 30_000
const firstWaitMs = 500
const longestWaitMs = 8_000

/**
 * How long to wait before the next try: doubling, with jitter over its upper half, so that the
 * runners that an outage held back do not come back in step.
 * @param failures tries that have failed so far, from 1
 * @param random uniform in [0, 1)
 */
export function backoffMs(failures: number, random: number, retryAfterMs: number | null): number {
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1))
  const jittered = wait * (0.5 + random / 2)
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, longestRetryAfterMs))
}

/**
 * Retry-After (RFC 9110, 10.2.3) in milliseconds; null where there is none that makes sense.
 * @param wall this host's wall clock, for the form that names a date
 */
export function retryAfterMs(header: string | undefined, wall: Date): number | null {
  if (header === undefined) return null
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - wall.getTime())
}
