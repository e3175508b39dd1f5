import type { Lease, RecordedAttempt } from '../../store/webhooks.ts'
import type { Query } from '../query.ts'

/** Locks the row. The lease decides: an attempt that took too long was made again by another. */
export async function recordDelivery(
  query: Query,
  { deliveryId, lease, attempt, status, nextAttemptInSeconds }: Lease & RecordedAttempt,
): Promise<boolean> {
  const recorded = await query(
    'record_delivery',
    `update webhook_deliveries set
       attempts = attempts || jsonb_build_array($3::jsonb),
       status = $4,
       next_attempt_at = now() + make_interval(secs => $5),
       leased_until = null,
       body = case when $4 = 'PENDING' then body end
     where delivery_id = $1 and lease = $2 and status = 'PENDING' returning delivery_id`,
    [deliveryId, lease, JSON.stringify(attempt), status, nextAttemptInSeconds],
  )
  return recorded.length > 0
}
