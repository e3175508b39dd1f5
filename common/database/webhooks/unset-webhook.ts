import type { Query } from '../query.ts'

/** Locks the account's webhook. What is on its way already is still delivered. */
export async function unsetWebhook(query: Query, accountId: string): Promise<void> {
  await query(
    'unset_webhook',
    'update webhooks set url = null, events = default where account_id = $1',
    [accountId],
  )
}
