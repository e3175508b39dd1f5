import type { IdempotencyClaim, IdempotencyState, LimitStore } from '../../store/limits.ts'
import type { Database, Query } from '../connection/query.ts'

/** The API guarantees keys for a day. */
export const expired = `now() - interval '24 hours'`

/** Leases and answers of idempotency keys. */
export function idempotencyKeys({
  query,
}: Database): Pick<
  LimitStore,
  | 'claimIdempotencyKey'
  | 'completeIdempotencyKey'
  | 'releaseIdempotencyKey'
  | 'expireIdempotencyKeys'
> {
  return {
    /**
     * The primary key lets one of several concurrent claims win. A key older than a day counts as new. A
     * request whose lease has expired has crashed: its retry takes the key over and keeps the id, so it
     * finds the record that the crashed request created and does not create it again.
     */
    async claimIdempotencyKey(claim) {
      const fingerprint = Buffer.from(claim.fingerprint)
      const [claimed] = await query<{ resourceId: string; repeated: boolean }>(
        'claim_idempotency_key',
        `insert into idempotency_keys as k (account_id, key, fingerprint, resource_id, leased_until)
         values ($1, $2, $3, $4, now() + make_interval(secs => $5))
         on conflict (account_id, key) do update set
           resource_id = case when k.created_at <= ${expired} then excluded.resource_id else k.resource_id end,
           created_at = case when k.created_at <= ${expired} then excluded.created_at else k.created_at end,
           fingerprint = excluded.fingerprint, leased_until = excluded.leased_until,
           status = null, body = null
         where k.created_at <= ${expired}
           or (k.fingerprint = $3 and k.status is null and k.leased_until <= now())
         returning resource_id as "resourceId", resource_id <> $4 as repeated`,
        [claim.accountId, claim.key, fingerprint, claim.resourceId, claim.leaseSeconds],
      )
      return claimed === undefined
        ? stateOf(query, claim, fingerprint)
        : { kind: 'claimed', ...claimed }
    },

    /** Locks the key's row; changes nothing if another request has claimed the key by now. */
    async completeIdempotencyKey(answered) {
      await query(
        'complete_idempotency_key',
        `update idempotency_keys set status = $4, body = $5
         where account_id = $1 and key = $2 and resource_id = $3`,
        [
          answered.accountId,
          answered.key,
          answered.resourceId,
          answered.status,
          answered.body === undefined ? null : JSON.stringify(answered.body),
        ],
      )
    },

    /** Locks the key's row; a stored answer stays. */
    async releaseIdempotencyKey(released) {
      const { accountId, key, resourceId, forget } = released
      await query(
        forget ? 'forget_idempotency_key' : 'release_idempotency_key',
        `${forget ? 'delete from idempotency_keys' : 'update idempotency_keys set leased_until = now()'}
         where account_id = $1 and key = $2 and resource_id = $3 and status is null`,
        [accountId, key, resourceId],
      )
    },

    /** Locks the keys it removes and skips those that another transaction has locked. */
    async expireIdempotencyKeys(limit) {
      const removed = await query(
        'expire_idempotency_keys',
        `delete from idempotency_keys where (account_id, key) in (
           select account_id, key from idempotency_keys
           where created_at <= ${expired} order by created_at limit $1 for update skip locked
         ) returning key`,
        [limit],
      )
      return removed.length
    },
  }
}

async function stateOf(
  query: Query,
  { accountId, key }: IdempotencyClaim,
  fingerprint: Buffer,
): Promise<IdempotencyState> {
  const [row] = await query<{
    same: boolean
    status: number | null
    body: unknown
    ageSeconds: number
    leftSeconds: number
  }>(
    'find_idempotency_key',
    `select fingerprint = $3 as same, status, body,
       extract(epoch from now() - created_at)::double precision as "ageSeconds",
       extract(epoch from leased_until - now())::double precision as "leftSeconds"
     from idempotency_keys where account_id = $1 and key = $2`,
    [accountId, key, fingerprint],
  )
  // The other request ended without an effect just now; the next retry can claim the key.
  if (row === undefined) return { kind: 'in-flight', ageSeconds: 0, leftSeconds: 0 }
  if (!row.same) return { kind: 'other-request' }
  return row.status === null
    ? { kind: 'in-flight', ageSeconds: row.ageSeconds, leftSeconds: row.leftSeconds }
    : { kind: 'answered', status: row.status, body: row.body }
}
