import type { Query } from '../query.ts'

/** Locks the key's row; nothing where somebody else has the key by now. */
export async function completeIdempotencyKey(
  query: Query,
  answered: { accountId: string; key: string; resourceId: string; status: number; body: unknown },
): Promise<void> {
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
}
