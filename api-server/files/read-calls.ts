import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import { fileRecord, fileListItem } from './file-record.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { Store } from '../../common/store/store.ts'
import type { FileUrls } from './file-urls.ts'

interface Deps {
  readonly store: Pick<Store, 'findFile' | 'listFiles'>
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

/** `GET /v1/files`: a bare array, newest first, without deleted files. */
export function listFiles({ store, fileUrls }: Deps): Endpoint {
  return endpoint('listFiles', async ({ query: { limit, offset, status } }, { key }) => {
    const { accountId } = key.account
    const files = await store.listFiles({ accountId, limit, offset, status: status ?? null })
    const urlOf = await fileUrls(files, 0)
    return { status: 200, body: files.map((file) => fileListItem(file, urlOf)) }
  })
}
