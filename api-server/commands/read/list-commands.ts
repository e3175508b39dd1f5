import { endpoint } from '../../http/endpoint.ts'
import { listItem } from './view.ts'
import type { Store } from '../../../common/store/store.ts'
import type { Endpoint } from '../../http/endpoint.ts'

/** `GET /v1/commands`: a bare array, newest first. */
export function listCommands({ store }: { readonly store: Pick<Store, 'listCommands'> }): Endpoint {
  return endpoint('listCommands', async ({ query: { limit, offset, status } }, { key }) => {
    const { accountId } = key.account
    const commands = await store.listCommands({ accountId, limit, offset, status: status ?? null })
    return { status: 200, body: commands.map(listItem) }
  })
}
