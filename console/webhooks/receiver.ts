import type { Answers, WebhookEvent } from '../../common/openapi/openapi-types.ts'

export type Webhook = Answers['getWebhook']

/** Whether the form has what the service has already; blanks around the URL are not sent. */
export function isSaved(
  webhook: Pick<Webhook, 'url' | 'events'>,
  url: string,
  events: ReadonlySet<WebhookEvent>,
): boolean {
  return (
    url.trim() === (webhook.url ?? '') &&
    events.size === webhook.events.length &&
    webhook.events.every((one) => events.has(one))
  )
}
