import { expired } from './claim-idempotency-key.ts'
import type { Query } from '../query.ts'

/** Locks what it removes and skips what another replica has; a claim that waits finds its key gone. */
export async function expireIdempotencyKeys(query: Query, limit: number): Promise<number> {
  const removed = await query(
    'expire_idempotency_keys',
    `delete from idempotency_keys where (account_id, key) in (
       select account_id, key from idempotency_keys
       where created_at <= ${expired} order by created_at limit $1 for update skip locked
     ) returning key`,
    [limit],
  )
  return removed.length
}
