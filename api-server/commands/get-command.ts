import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import { statusRecord } from './view.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { FileUrls } from '../files/file-urls.ts'

interface Deps {
  readonly store: Pick<Store, 'findCommand'>
  readonly fileUrls: FileUrls
}

/** `GET /v1/commands/{command_id}`: answered from Postgres alone, whatever the cluster is doing. */
export function getCommand({ store, fileUrls }: Deps): Endpoint {
  return endpoint('getCommand', async ({ path, query }, { key, fields }) => {
    const commandId = path.command_id.toLowerCase()
    fields['command_id'] = commandId
    const command = await store.findCommand(key.account.accountId, commandId)
    if (command === null) throw refusal(404, 'Command not found')
    const urlOf = await fileUrls(command.files, query.presigned_ttl_seconds ?? 0)
    return { status: 200, body: statusRecord(command, urlOf) }
  })
}
