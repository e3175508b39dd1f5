import { ApiError } from '../../cli/client/errors.ts'
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

/** Why the service refused the URL, without its remedies for files; null for any other refusal. */
export function urlProblem(error: unknown): string | null {
  const mistakes = error instanceof ApiError ? error.mistakes : []
  const mistake = mistakes.find(({ loc }) => loc[1] === 'url')
  if (mistake === undefined) return null
  const [reason = ''] = mistake.msg.split(';', 1)
  return `${reason}. Events go to an http or https URL of a public host; an administrator can allow a private range (network.allowCidrs).`
}
