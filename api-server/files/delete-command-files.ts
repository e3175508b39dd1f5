import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import { knownId } from './known-id.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'

interface Deps {
  readonly store: Pick<Store, 'deleteCommandFiles'>
  readonly effects: Effects
}

/** `DELETE /v1/commands/{command_id}/files`: everything that the command stored. */
export function deleteCommandFiles({ store, effects }: Deps): Endpoint {
  return endpoint('deleteCommandFiles', async ({ path }, { key, fields }) => {
    const commandId = knownId(path.command_id, 'Command files not found')
    fields['command_id'] = commandId
    const { accountId } = key.account
    const isDeleted = await effects.failpoint('files.deleted', () =>
      store.deleteCommandFiles(accountId, commandId),
    )
    if (!isDeleted) throw refusal(404, 'Command files not found')
    return { status: 204, body: undefined }
  })
}
