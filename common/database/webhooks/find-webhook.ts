import type { Webhook } from '../../store/webhooks.ts'
import { webhookColumns } from './webhook-columns.ts'
import type { Query } from '../query.ts'

/** Locks nothing. */
export async function findWebhook(query: Query, accountId: string): Promise<Webhook> {
  const [webhook] = await query<Webhook>(
    'find_webhook',
    `select ${webhookColumns} from webhooks w where w.account_id = $1`,
    [accountId],
  )
  if (webhook === undefined) throw new Error(`account ${accountId} has no webhook`)
  return webhook
}
