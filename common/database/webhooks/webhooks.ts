import type { Webhook, WebhookStore } from '../../store/webhooks.ts'
import type { Database, Query } from '../connection/query.ts'

/** Each secret adds one signature to a header, so their number is limited. */
const mostSecrets = 5

export const webhookColumns = `
  w.url, w.events, w.created_at as "createdAt", ${signingSecrets('w.account_id')} as secrets`

/** The webhook address and the secrets of an account. */
export function webhooks(
  database: Database,
): Pick<WebhookStore, 'findWebhook' | 'setWebhook' | 'unsetWebhook'> {
  const { query } = database
  return {
    findWebhook: (accountId) => findWebhook(query, accountId),

    /** Locks the account's webhook, so concurrent rotations serialize. */
    setWebhook(webhook) {
      return database.transaction(async (query) => {
        await query(
          'set_webhook',
          'update webhooks set url = $2, events = $3 where account_id = $1',
          [webhook.accountId, webhook.url, webhook.events],
        )
        if (webhook.rotateSecret) {
          await query(
            'retire_webhook_secret',
            `update webhook_secrets set retired_at = now() where account_id = $1 and retired_at is null`,
            [webhook.accountId],
          )
          await query(
            'add_webhook_secret',
            'insert into webhook_secrets (account_id) values ($1)',
            [webhook.accountId],
          )
          await query(
            'forget_webhook_secrets',
            `delete from webhook_secrets
             where account_id = $1 and retired_at <= now() - interval '1 day'`,
            [webhook.accountId],
          )
        }
        return findWebhook(query, webhook.accountId)
      })
    },

    /** Locks the account's webhook. Pending events are still delivered. */
    async unsetWebhook(accountId) {
      await query(
        'unset_webhook',
        'update webhooks set url = null, events = default where account_id = $1',
        [accountId],
      )
    },
  }
}

/** Secrets that sign for an account: the current one, and those retired within the last day. */
export function signingSecrets(account: string): string {
  return `array(
    select s.secret from webhook_secrets s
    where s.account_id = ${account}
      and (s.retired_at is null or s.retired_at > now() - interval '1 day')
    order by s.retired_at desc nulls first limit ${mostSecrets}
  )`
}

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
