import type { Query } from '../query.ts'

/** Locks the key's row; an answer that is kept stays. */
export async function releaseIdempotencyKey(
  query: Query,
  released: { accountId: string; key: string; resourceId: string; forget: boolean },
): Promise<void> {
  const { accountId, key, resourceId, forget } = released
  await query(
    forget ? 'forget_idempotency_key' : 'release_idempotency_key',
    `${forget ? 'delete from idempotency_keys' : 'update idempotency_keys set leased_until = now()'}
     where account_id = $1 and key = $2 and resource_id = $3 and status is null`,
    [accountId, key, resourceId],
  )
}
