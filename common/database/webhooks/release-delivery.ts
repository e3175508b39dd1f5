import type { Lease } from '../../store/webhooks.ts'
import type { Query } from '../query.ts'

/** Locks the row. */
export async function releaseDelivery(query: Query, lease: Lease): Promise<void> {
  await query(
    'release_delivery',
    `update webhook_deliveries set leased_until = null, lease = lease + 1
     where delivery_id = $1 and lease = $2 and status = 'PENDING'`,
    [lease.deliveryId, lease.lease],
  )
}
