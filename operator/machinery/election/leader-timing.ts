export interface LeaderTiming {
  /** How long an unchanged Lease keeps other candidates out. */
  readonly leaseMs: number
  /** Between two renewals. */
  readonly renewMs: number
  /** Time in ms from the last successful renewal until the term ends. */
  readonly stopMs: number
  /** Most time that one request of the election may take. */
  readonly deadlineMs: number
  /** Time in ms from a failed renewal to the next one. */
  readonly retryMs: number
  /** Interval at which a candidate reads the Lease. */
  readonly pollMs: number
}

export interface LeaseSeconds {
  readonly leaseSeconds: number
  readonly renewSeconds: number
  readonly stopSeconds: number
}

/** Long enough for an API server that is starved of CPU. */
const longestDeadlineMs = 4_000

/**
 * Mistake in the three values, or null. A holder stops well before others may start, so that clocks may run at
 * different speeds.
 */
export function timingProblem({
  leaseSeconds,
  renewSeconds,
  stopSeconds,
}: LeaseSeconds): string | null {
  if (stopSeconds >= leaseSeconds) {
    return `stopSeconds ${stopSeconds} must be below leaseSeconds ${leaseSeconds}: the holder has to stop before another operator may take over`
  }
  if (renewSeconds * 2 > stopSeconds) {
    return `renewSeconds ${renewSeconds} must be at most half of stopSeconds ${stopSeconds}: one renewal has to be able to fail`
  }
  return null
}

/**
 * A deadline of several seconds is deliberate: with 2.75 s the operator lost its Lease at every stall of a busy API
 * server. A renewal that fails leaves time for another one.
 */
export function leaderTiming({
  leaseSeconds,
  renewSeconds,
  stopSeconds,
}: LeaseSeconds): LeaderTiming {
  const [leaseMs, renewMs, stopMs] = [
    leaseSeconds * 1_000,
    renewSeconds * 1_000,
    stopSeconds * 1_000,
  ]
  return {
    leaseMs,
    renewMs,
    stopMs,
    deadlineMs: Math.min(longestDeadlineMs, (stopMs - renewMs) / 2 - 100),
    retryMs: Math.min(500, renewMs / 2),
    pollMs: Math.min(1_000, leaseMs / 8),
  }
}
