import { endpoint } from '../http/endpoint.ts'
import { fileListItem } from './file-record.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { FileUrls } from './file-urls.ts'

interface Deps {
  readonly store: Pick<Store, 'listFiles'>
  readonly fileUrls: FileUrls
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
