import type { Clock } from '../../../common/runtime/effects.ts'
import type { GatewayResponse } from './answers.ts'

/** How many requests each attempt has made of this process. */
export interface AttemptRequests {
  /** Counts a request. @returns the refusal if the attempt has used up its requests */
  take(attempt: string, path: string): GatewayResponse | null
  /** Each part of an upload allows four more requests: it is signed, and signed again after a failure. */
  allowParts(attempt: string, parts: number): void
}

const most = 8_192
const perPart = 4
/** A runner reports once a second; reports that a slow connection delayed may arrive together. */
const reportBurst = 10
const maxKnown = 10_000

/**
 * Bounds what a runner can demand of the database and the bucket. Reports have a rate in place of a
 * number, since a command may run for a day. Kept in memory: a lost count only allows more.
 */
export function createAttemptRequests(
  clock: Clock,
  onRefusal: (limit: 'reports' | 'requests') => void,
): AttemptRequests {
  const attempts = new Map<string, { left: number; reports: number; at: number }>()

  function knownOf(attempt: string) {
    const known = attempts.get(attempt) ?? {
      ...{ left: most, reports: reportBurst, at: clock.monotonicMs() },
    }
    // The attempt that was silent for longest is forgotten first.
    attempts.delete(attempt)
    if (attempts.size >= maxKnown) attempts.delete(attempts.keys().next().value ?? '')
    attempts.set(attempt, known)
    return known
  }

  return {
    take(attempt, path) {
      const known = knownOf(attempt)
      if (path !== '/v1/progress') {
        if (known.left > 0) known.left -= 1
        else return refused('requests', 60, `An attempt may make ${most} requests`)
        return null
      }
      const now = clock.monotonicMs()
      known.reports = Math.min(reportBurst, known.reports + (now - known.at) / 1_000)
      known.at = now
      if (known.reports < 1) return refused('reports', 1, 'An attempt may report once a second')
      known.reports -= 1
      return null
    },
    allowParts(attempt, parts) {
      knownOf(attempt).left += perPart * parts
    },
  }

  function refused(limit: 'reports' | 'requests', seconds: number, what: string): GatewayResponse {
    onRefusal(limit)
    return {
      status: 429,
      body: { detail: `${what}; retry in ${seconds} s` },
      retryAfterSeconds: seconds,
    }
  }
}
