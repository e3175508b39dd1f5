import type { Bucket } from '../../store/limits.ts'
import { bucketTimes } from './bucket-times.ts'
import type { Query } from '../query.ts'

/** Locks nothing. */
export async function tokensLeft(query: Query, bucket: Bucket): Promise<number> {
  if (bucket.perMinute === 0) return 0
  const { tokenSeconds, windowSeconds } = bucketTimes(bucket)
  const [row] = await query<{ seconds: number }>(
    'tokens_left',
    `select extract(epoch from full_at - now())::double precision as seconds
     from rate_buckets where account_id = $1 and rate_group = $2`,
    [bucket.accountId, bucket.group],
  )
  return Math.floor((windowSeconds - Math.max(0, row?.seconds ?? 0)) / tokenSeconds)
}
