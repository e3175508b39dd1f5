import { timestamp } from '../http/timestamp.ts'
import type { Webhook as StoredWebhook } from '../../common/store/webhooks.ts'
import type { Webhook } from '../../common/openapi/openapi-types.ts'

export function webhookRecord({ url, events, secrets, createdAt }: StoredWebhook): Webhook {
  const [secret] = secrets
  if (secret === undefined) throw new Error('an account without a webhook secret')
  return { url, events: [...events], secret, created_at: timestamp(createdAt) }
}
