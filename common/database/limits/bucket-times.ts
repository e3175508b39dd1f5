import type { Bucket } from '../../store/limits.ts'

/**
 * A bucket as times, in seconds. It is full at a moment in the past or at most `windowSeconds` ahead;
 * each token moves that moment by `tokenSeconds`. A rate below one a minute still lets one request
 * through when its bucket is full.
 */
export function bucketTimes({ perMinute }: Pick<Bucket, 'perMinute'>): {
  readonly tokenSeconds: number
  readonly windowSeconds: number
} {
  const tokenSeconds = 60 / perMinute
  // Postgres rounds each step to a microsecond; without some play the last token would not fit.
  return { tokenSeconds, windowSeconds: Math.max(60, tokenSeconds) + tokenSeconds / 1_000 }
}
