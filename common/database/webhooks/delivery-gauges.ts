import type { DeliveryGauges } from '../../store/webhooks.ts'
import type { Query } from '../query.ts'

/** Locks nothing; reads what is pending only. */
export async function deliveryGauges(query: Query): Promise<DeliveryGauges> {
  const [row] = await query<DeliveryGauges>(
    'delivery_gauges',
    `select count(*) as pending,
       coalesce(extract(epoch from now() - min(created_at)), 0)::double precision
         as "oldestPendingSeconds",
       greatest(coalesce(extract(epoch from now() - min(next_attempt_at)), 0), 0)::double precision
         as "overdueSeconds"
     from webhook_deliveries where status = 'PENDING'`,
  )
  if (row === undefined) throw new Error('an aggregate returned no row')
  return row
}
