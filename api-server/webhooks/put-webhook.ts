import { endpoint } from '../http/endpoint.ts'
import { requireFeature } from '../accounts/allowance.ts'
import { planOf } from '../../common/domain/plans.ts'
import { webhookRecord } from './webhook-record.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'

interface Deps {
  readonly store: Pick<Store, 'setWebhook'>
  readonly plans: Plans
}

/** `PUT /v1/webhook`: where the URL leads is looked at in each attempt, names change hands. */
export function putWebhook({ store, plans }: Deps): Endpoint {
  return endpoint('putWebhook', async ({ body }, { key: { account } }) => {
    requireFeature(account, planOf(plans, account.plan), 'webhooks')
    const webhook = await store.setWebhook({
      accountId: account.accountId,
      url: body.url.trim(),
      events: [...new Set(body.events)],
      rotateSecret: body.rotate_secret,
    })
    return { status: 200, body: webhookRecord(webhook) }
  })
}
