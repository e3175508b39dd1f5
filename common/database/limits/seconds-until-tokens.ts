import type { TokenTake } from '../../store/limits.ts'
import { bucketTimes } from './bucket-times.ts'
import type { Query } from '../query.ts'

/** Locks nothing. */
export async function secondsUntilTokens(query: Query, take: TokenTake): Promise<number | null> {
  if (take.perMinute === 0) return null
  const { tokenSeconds, windowSeconds } = bucketTimes(take)
  const [row] = await query<{ seconds: number }>(
    'seconds_until_tokens',
    `select (extract(epoch from full_at - now()) + $3 - $4)::double precision as seconds
     from rate_buckets where account_id = $1 and rate_group = $2`,
    [take.accountId, take.group, take.tokens * tokenSeconds, windowSeconds],
  )
  return Math.max(0, row?.seconds ?? 0)
}
