import { BoundedMap } from '../../../common/bounded/bounded-map.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { GatewayResponse } from './answers.ts'

/** Bounds how fast each attempt makes requests of this process. */
export interface AttemptRequests {
  /** Counts a request. @returns the refusal if the attempt is above its rate */
  take(attempt: string, path: string): GatewayResponse | null
}

type Kind = 'reports' | 'requests'

/**
 * Tokens that a bucket holds, and that it gains in a second. A runner reports once a second; reports
 * that a slow connection delayed may arrive together. Of the other requests it makes some per output
 * file, of which a command may have 10,000. A rate and not a number: an attempt that has used up a
 * number could never deliver its result.
 */
const buckets: Readonly<Record<Kind, { size: number; perSecond: number }>> = {
  reports: { size: 10, perSecond: 1 },
  requests: { size: 8_192, perSecond: 50 },
}

const maxKnown = 10_000

interface Bucket {
  tokens: number
  atMs: number
}

/** Bounds what a runner can demand of the database and the bucket. Kept in memory: a lost count only allows more. */
export function createAttemptRequests(
  clock: Clock,
  onRefusal: (limit: Kind) => void,
): AttemptRequests {
  const attempts = new BoundedMap<string, Readonly<Record<Kind, Bucket>>>(maxKnown)
  return {
    take(attempt, path) {
      const kind = path === '/v1/progress' ? 'reports' : 'requests'
      const bucket = bucketsOf(attempt)[kind]
      const { size, perSecond } = buckets[kind]
      const nowMs = clock.monotonicMs()
      bucket.tokens = Math.min(size, bucket.tokens + ((nowMs - bucket.atMs) / 1_000) * perSecond)
      bucket.atMs = nowMs
      if (bucket.tokens >= 1) {
        bucket.tokens -= 1
        return null
      }
      onRefusal(kind)
      const detail = `Too many ${kind} of one attempt: ${perSecond} a second; retry in 1 s`
      return { status: 429, body: { detail }, retryAfterSeconds: 1 }
    },
  }

  function bucketsOf(attempt: string): Readonly<Record<Kind, Bucket>> {
    const known = attempts.get(attempt) ?? { reports: full('reports'), requests: full('requests') }
    // The attempt that was silent for longest is forgotten first.
    attempts.delete(attempt)
    attempts.set(attempt, known)
    return known
  }

  function full(kind: Kind): Bucket {
    return { tokens: buckets[kind].size, atMs: clock.monotonicMs() }
  }
}
