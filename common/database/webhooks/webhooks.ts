import { endDeliveries, moveDeliveries } from './former-url.ts'
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

    /** Locks the account's webhook, so concurrent rotations serialize, then its pending deliveries. */
    setWebhook(webhook) {
      return database.transaction(async (query) => {
        const former = await lockedUrl(query, webhook.accountId)
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
        if (former !== null && former !== webhook.url) {
          const { accountId, url } = webhook
          if (webhook.movePending) await moveDeliveries(query, { accountId, url: former }, url)
          else await endDeliveries(query, { accountId, url: former }, 'changed')
        }
        return findWebhook(query, webhook.accountId)
      })
    },

    /** Locks the account's webhook, then its pending deliveries. */
    unsetWebhook(accountId) {
      return database.transaction(async (query) => {
        const former = await lockedUrl(query, accountId)
        await query(
          'unset_webhook',
          'update webhooks set url = null, events = default where account_id = $1',
          [accountId],
        )
        if (former !== null) await endDeliveries(query, { accountId, url: former }, 'removed')
      })
    },
  }
}

/** Locks the account's webhook. */
async function lockedUrl(query: Query, accountId: string): Promise<string | null> {
  const [webhook] = await query<{ url: string | null }>(
    'lock_webhook',
    'select url from webhooks where account_id = $1 for no key update',
    [accountId],
  )
  return webhook?.url ?? null
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
