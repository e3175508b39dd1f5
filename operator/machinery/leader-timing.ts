export interface LeaderTiming {
  /** How long an unchanged Lease keeps others out. */
  readonly leaseMs: number
  readonly renewMs: number
  /** From the last successful renewal until all work of a leader has to stop. */
  readonly stopMs: number
  /** Between two looks of a candidate, and after a renewal that failed. */
  readonly lookMs: number
}

const mostMs = 2_000

/**
 * A holder stops after three quarters of what keeps others out, so that no clock has to be exact, and
 * until then several renewals may fail. 4 s give a failover within 5 s of a kill; where requests to the
 * Kubernetes API take seconds, 15 are right.
 */
export function leaderTiming(leaseSeconds: number): LeaderTiming {
  const leaseMs = leaseSeconds * 1_000
  return {
    leaseMs,
    renewMs: Math.min(leaseMs / 4, mostMs),
    stopMs: (leaseMs * 3) / 4,
    lookMs: Math.min(leaseMs / 8, mostMs),
  }
}
