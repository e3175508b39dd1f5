import { isUuid } from '../http/formats.ts'
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

/** The delivery of a `webhook-id`; null if the text is not one. */
export function deliveryIdOf(webhookId: string): string | null {
  const id = /^msg_(.+)$/.exec(webhookId)?.[1] ?? ''
  return isUuid(id) ? id.toLowerCase() : null
}

const shownCharacters = 6

/**
 * Cuts signatures for the record of the attempt: each keeps its version and its first characters, which tell two secrets
 * apart and verify nothing.
 */
export function cutSignature(headers: Readonly<Record<string, string>>): Record<string, string> {
  const cut = (headers['webhook-signature'] ?? '')
    .split(' ')
    .map((one) => `${one.slice(0, one.indexOf(',') + 1 + shownCharacters)}…`)
    .join(' ')
  return { ...headers, 'webhook-signature': cut }
}
