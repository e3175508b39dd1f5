import type { TokenTake } from '../../store/limits.ts'
import { bucketTimes } from './bucket-times.ts'
import type { Query } from '../query.ts'

/**
 * Locks the bucket's row and decides by it as it is then, so replicas together never give out more
 * than it holds. `now()` is the start of the statement: one that waited for the lock sees a little
 * less than there is, never more.
 */
export async function takeTokens(query: Query, take: TokenTake): Promise<boolean> {
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
}
