import type { Bucket, LimitStore } from '../../store/limits.ts'
import type { Database } from '../connection/query.ts'

/** Token buckets, shared by all replicas. */
export function rateBuckets({
  query,
}: Database): Pick<
  LimitStore,
  'takeTokens' | 'secondsUntilTokens' | 'tokensLeft' | 'giveTokensBack'
> {
  return {
    /**
     * Locks the bucket's row and decides under the lock, so all replicas together never grant more
     * tokens than it holds. `now()` is the start of the statement: a statement that waited for the lock
     * sees slightly fewer tokens than there are, never more.
     */
    async takeTokens(take) {
      if (take.perMinute === 0) return false
      const { tokenSeconds, windowSeconds } = bucketTimes(take)
      const moved = take.tokens * tokenSeconds
      if (moved > windowSeconds) return false
      const taken = await query(
        'take_tokens',
        `insert into rate_buckets as b (account_id, rate_group, full_at)
         values ($1, $2, now() + make_interval(secs => $3))
         on conflict (account_id, rate_group) do update
           set full_at = greatest(b.full_at, now()) + make_interval(secs => $3)
           where greatest(b.full_at, now()) + make_interval(secs => $3)
             <= now() + make_interval(secs => $4)
         returning full_at`,
        [take.accountId, take.group, moved, windowSeconds],
      )
      return taken.length > 0
    },

    /** Locks nothing. */
    async secondsUntilTokens(take) {
      if (take.perMinute === 0) return null
      const { tokenSeconds, windowSeconds } = bucketTimes(take)
      const [row] = await query<{ seconds: number }>(
        'seconds_until_tokens',
        `select (extract(epoch from full_at - now()) + $3 - $4)::double precision as seconds
         from rate_buckets where account_id = $1 and rate_group = $2`,
        [take.accountId, take.group, take.tokens * tokenSeconds, windowSeconds],
      )
      return Math.max(0, row?.seconds ?? 0)
    },

    /** Locks nothing. */
    async tokensLeft(bucket) {
      if (bucket.perMinute === 0) return 0
      const { tokenSeconds, windowSeconds } = bucketTimes(bucket)
      const [row] = await query<{ seconds: number }>(
        'tokens_left',
        `select extract(epoch from full_at - now())::double precision as seconds
         from rate_buckets where account_id = $1 and rate_group = $2`,
        [bucket.accountId, bucket.group],
      )
      return Math.floor((windowSeconds - Math.max(0, row?.seconds ?? 0)) / tokenSeconds)
    },

    /** Locks the bucket's row. Tokens above the size of the bucket are discarded. */
    async giveTokensBack(take) {
      if (take.perMinute === 0) return
      await query(
        'give_tokens_back',
        `update rate_buckets set full_at = full_at - make_interval(secs => $3)
         where account_id = $1 and rate_group = $2 and full_at > now()`,
        [take.accountId, take.group, take.tokens * bucketTimes(take).tokenSeconds],
      )
    },
  }
}

/**
 * A bucket as times, in seconds. It stores the instant at which the bucket is full, in the past or at
 * most `windowSeconds` ahead; each token moves that instant by `tokenSeconds`. A rate below one a
 * minute still grants one request when its bucket is full.
 */
export function bucketTimes({ perMinute }: Pick<Bucket, 'perMinute'>): {
  readonly tokenSeconds: number
  readonly windowSeconds: number
} {
  const tokenSeconds = 60 / perMinute
  // Postgres rounds each step to a microsecond; without a tolerance the last token would be refused.
  return { tokenSeconds, windowSeconds: Math.max(60, tokenSeconds) + tokenSeconds / 1_000 }
}
