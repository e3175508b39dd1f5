import { endpoint } from '../../http/endpoint.ts'
import { jsonText, notFound } from '../../http/errors.ts'
import { statusRecord } from './view.ts'
import { isPresigned } from '../../files/file-urls.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { FileUrls } from '../../files/file-urls.ts'
import type { CommandRecords } from './command-records.ts'

interface Deps {
  readonly records: Pick<CommandRecords, 'read'>
  readonly fileUrls: FileUrls
}

/** `GET /v1/commands/{command_id}`: answered from Postgres alone, without the Kubernetes API. */
export function getCommand({ records, fileUrls }: Deps): Endpoint {
  return endpoint('getCommand', async ({ path, query }, { key, fields }) => {
    const commandId = path.command_id.toLowerCase()
    fields['command_id'] = commandId
    const shown = await records.read(key.account.accountId, commandId)
    if (shown === null) throw notFound('Command', commandId)
    const { command, text, etag } = shown
    const seconds = query.presigned_ttl_seconds ?? null
    if (command.files.some((file) => isPresigned(file, seconds))) {
      const urlOf = await fileUrls(command.files, seconds)
      return { status: 200, body: statusRecord(command, urlOf), secret: true }
    }
    return jsonText(text, etag)
  })
}
