import type { TokenTake } from '../../store/limits.ts'
import { bucketTimes } from './bucket-times.ts'
import type { Query } from '../query.ts'

/** Locks the bucket's row. What a full bucket gets back is lost: it cannot hold more. */
export async function giveTokensBack(query: Query, take: TokenTake): Promise<void> {
  if (take.perMinute === 0) return
  await query(
    'give_tokens_back',
    `update rate_buckets set full_at = full_at - make_interval(secs => $3)
     where account_id = $1 and rate_group = $2 and full_at > now()`,
    [take.accountId, take.group, take.tokens * bucketTimes(take).tokenSeconds],
  )
}
