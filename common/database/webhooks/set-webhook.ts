import type { Webhook, WebhookStore } from '../../store/webhooks.ts'
import { findWebhook } from './find-webhook.ts'
import type { Database } from '../query.ts'

/** Locks the account's webhook: of two rotations at once, one follows the other. */
export function setWebhook(
  database: Database,
  webhook: Parameters<WebhookStore['setWebhook']>[0],
): Promise<Webhook> {
  return database.transaction(async (query) => {
    await query('set_webhook', 'update webhooks set url = $2, events = $3 where account_id = $1', [
      webhook.accountId,
      webhook.url,
      webhook.events,
    ])
    if (webhook.rotateSecret) {
      await query(
        'retire_webhook_secret',
        `update webhook_secrets set retired_at = now() where account_id = $1 and retired_at is null`,
        [webhook.accountId],
      )
      await query('add_webhook_secret', 'insert into webhook_secrets (account_id) values ($1)', [
        webhook.accountId,
      ])
      await query(
        'forget_webhook_secrets',
        `delete from webhook_secrets
         where account_id = $1 and retired_at <= now() - interval '1 day'`,
        [webhook.accountId],
      )
    }
    return findWebhook(query, webhook.accountId)
  })
}
