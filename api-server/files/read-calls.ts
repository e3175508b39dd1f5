import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import { createBatchedReads } from '../reads/batched-reads.ts'
import { createListPages } from '../reads/list-pages.ts'
import { fileRecord, fileListItem } from './file-record.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { FileKey } from '../../common/store/files.ts'
import type { Store } from '../../common/store/store.ts'
import type { FileUrls } from './file-urls.ts'

interface Deps {
  readonly store: Pick<Store, 'findFiles' | 'listFiles'>
  readonly fileUrls: FileUrls
}

/** `GET /v1/files/{file_id}`: deleted files keep their record. */
export function getFile({ store, fileUrls }: Deps): Endpoint {
  const filesOf = createBatchedReads(async (keys: readonly FileKey[]) => {
    const files = await store.findFiles(keys)
    return new Map(files.map(({ accountId, ...file }) => [`${accountId}/${file.fileId}`, file]))
  })
  return endpoint('getFile', async ({ path, query }, { key, fields }) => {
    const fileId = path.file_id.toLowerCase()
    fields['file_id'] = fileId
    const { accountId } = key.account
    const file = (await filesOf({ accountId, fileId })).get(`${accountId}/${fileId}`)
    if (file === undefined) throw refusal(404, 'File not found')
    const urlOf = await fileUrls([file], query.presigned_ttl_seconds ?? 0)
    return { status: 200, body: fileRecord(file, urlOf) }
  })
}

/** `GET /v1/files`: a bare array, newest first, without deleted files. */
export function listFiles({ store, fileUrls }: Deps): Endpoint {
  const pages = createListPages()
  return endpoint('listFiles', async ({ query: { limit, offset, status } }, { key }) => {
    const list = { accountId: key.account.accountId, limit, offset, status: status ?? null }
    return pages(list, async () => {
      const files = await store.listFiles(list)
      const urlOf = await fileUrls(files, 0)
      return files.map((file) => fileListItem(file, urlOf))
    })
  })
}
