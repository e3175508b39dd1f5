import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import { fileRecord } from './file-record.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { FileUrls } from './file-urls.ts'

interface Deps {
  readonly store: Pick<Store, 'findFile'>
  readonly fileUrls: FileUrls
}

/** `GET /v1/files/{file_id}`: deleted files keep their record. */
export function getFile({ store, fileUrls }: Deps): Endpoint {
  return endpoint('getFile', async ({ path, query }, { key, fields }) => {
    const fileId = path.file_id.toLowerCase()
    fields['file_id'] = fileId
    const file = await store.findFile(key.account.accountId, fileId)
    if (file === null) throw refusal(404, 'File not found')
    const urlOf = await fileUrls([file], query.presigned_ttl_seconds ?? 0)
    return { status: 200, body: fileRecord(file, urlOf) }
  })
}
