import type { Query } from '../query.ts'

/** Locks the rows it removes and passes by those that others have locked. */
export async function expireDeliveries(
  query: Query,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  const removed = await query(
    'expire_deliveries',
    `delete from webhook_deliveries where delivery_id = any(array(
       select delivery_id from webhook_deliveries
       where created_at < now() - make_interval(days => $1)
       order by created_at limit $2 for update skip locked
     )) returning delivery_id`,
    [days, limit],
  )
  return removed.length
}
