import { endpoint } from '../http/endpoint.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'

/** `DELETE /v1/webhook`: the secret stays for the next URL. */
export function deleteWebhook({
  store,
}: {
  readonly store: Pick<Store, 'unsetWebhook'>
}): Endpoint {
  return endpoint('deleteWebhook', async (_call, { key }) => {
    await store.unsetWebhook(key.account.accountId)
    return { status: 204, body: undefined }
  })
}
