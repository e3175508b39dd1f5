import { endpoint } from '../http/endpoint.ts'
import { timestamp, timestampOrNull } from '../http/format.ts'
import { webhookIdOf } from './attempt-headers.ts'
import type { Store } from '../../common/store/store.ts'
import type { Delivery } from '../../common/store/webhooks.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { WebhookDelivery } from '../../common/openapi/openapi-types.ts'

/** `GET /v1/webhook/deliveries`: a bare array, newest first. */
export function listDeliveries({
  store,
}: {
  readonly store: Pick<Store, 'listDeliveries'>
}): Endpoint {
  return endpoint(
    'listWebhookDeliveries',
    async ({ query: { limit, offset, status, event, command_id: commandId } }, { key }) => {
      const { accountId } = key.account
      const list = {
        accountId,
        limit,
        offset,
        status: status ?? null,
        event: event ?? null,
        commandId: commandId?.toLowerCase() ?? null,
      }
      const deliveries = await store.listDeliveries(list)
      return { status: 200, body: deliveries.map(deliveryRecord) }
    },
  )
}

export function deliveryRecord(delivery: Delivery): WebhookDelivery {
  return {
    webhook_id: webhookIdOf(delivery.deliveryId),
    event: delivery.event,
    command_id: delivery.commandId,
    file_id: delivery.fileId,
    url: delivery.url,
    status: delivery.status,
    attempts: delivery.attempts.map(({ at, response_status, error }) => ({
      at,
      response_status,
      error,
    })),
    next_attempt_at: timestampOrNull(delivery.nextAttemptAt),
    created_at: timestamp(delivery.createdAt),
  }
}
