import type { Lease } from '../../store/webhooks.ts'
import type { Query } from '../query.ts'

/** Locks the row. */
export async function keepDeliveryBody(
  query: Query,
  kept: Lease & { body: string },
): Promise<string | null> {
  const [row] = await query<{ body: string }>(
    'keep_delivery_body',
    `update webhook_deliveries set body = coalesce(body, $3)
     where delivery_id = $1 and lease = $2 and status = 'PENDING' returning body`,
    [kept.deliveryId, kept.lease, kept.body],
  )
  return row?.body ?? null
}
