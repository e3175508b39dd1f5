import { webhookSignature } from './signature.ts'
import type { WebhookEvent } from '../../common/store/webhooks.ts'

/** The headers of one attempt, by Standard Webhooks; `webhook-event` is ours. */
export function attemptHeaders(attempt: {
  readonly webhookId: string
  readonly event: WebhookEvent
  readonly at: Date
  readonly secrets: readonly string[]
  readonly body: string
  readonly userAgent: string
}): Record<string, string> {
  const { webhookId: id, body } = attempt
  const timestamp = Math.floor(attempt.at.getTime() / 1_000)
  return {
    'Content-Type': 'application/json',
    'User-Agent': attempt.userAgent,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': webhookSignature(attempt.secrets, { id, timestamp, body }),
    'webhook-event': attempt.event,
  }
}

/** `webhook-id` of a delivery. */
export function webhookIdOf(deliveryId: string): string {
  return `msg_${deliveryId}`
}
