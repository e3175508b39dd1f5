import type { Delivery, WebhookStore } from '../../store/webhooks.ts'
import type { Query } from '../query.ts'

/** Locks nothing; newest first by the index of the account. */
export function listDeliveries(
  query: Query,
  list: Parameters<WebhookStore['listDeliveries']>[0],
): Promise<Delivery[]> {
  return query<Delivery>(
    'list_deliveries',
    `select delivery_id as "deliveryId", event, command_id as "commandId", file_id as "fileId",
       url, status, attempts, next_attempt_at as "nextAttemptAt", created_at as "createdAt"
     from webhook_deliveries
     where account_id = $1 and ($2::text is null or status = $2)
       and created_at > now() - interval '30 days'
     order by created_at desc, delivery_id desc limit $3 offset $4`,
    [list.accountId, list.status, list.limit, list.offset],
  )
}
