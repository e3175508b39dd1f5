import { endpoint } from '../http/endpoint.ts'
import { webhookRecord } from './webhook-record.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'

/** `GET /v1/webhook`: the secret is there before any URL is. */
export function getWebhook({ store }: { readonly store: Pick<Store, 'findWebhook'> }): Endpoint {
  return endpoint('getWebhook', async (_call, { key }) => ({
    status: 200,
    body: webhookRecord(await store.findWebhook(key.account.accountId)),
  }))
}
