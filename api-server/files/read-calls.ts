import { endpoint } from '../http/endpoint.ts'
import { notFound, refusal } from '../http/errors.ts'
import { createBatchedReads } from '../reads/batched-reads.ts'
import { fileRecord } from './file-record.ts'
import { isPresigned } from './file-urls.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { FileKey } from '../../common/store/files.ts'
import type { Store } from '../../common/store/store.ts'
import type { DownloadUrl, FileUrls } from './file-urls.ts'

interface Deps {
  readonly store: Pick<Store, 'findFiles'>
  readonly fileUrls: FileUrls
  readonly downloadUrl: DownloadUrl
}

/** `GET /v1/files/{file_id}`: deleted files keep their record. */
export function getFile({ store, fileUrls, downloadUrl }: Deps): Endpoint {
  const filesOf = createBatchedReads(async (keys: readonly FileKey[]) => {
    const files = await store.findFiles(keys)
    return new Map(files.map(({ accountId, ...file }) => [`${accountId}/${file.fileId}`, file]))
  })
  return endpoint('getFile', async ({ path, query }, { key, fields }) => {
    const fileId = path.file_id.toLowerCase()
    fields['file_id'] = fileId
    const seconds = query.presigned_ttl_seconds ?? null
    if (query.download && seconds === null) throw noLifetime
    const { accountId } = key.account
    const file = (await filesOf({ accountId, fileId })).get(`${accountId}/${fileId}`)
    if (file === undefined) throw notFound('File', fileId)
    if (query.download && seconds !== null) {
      const url = await downloadUrl(file, seconds)
      return { status: 200, body: fileRecord(file, () => url), secret: true }
    }
    const record = fileRecord(file, await fileUrls([file], seconds))
    return seconds !== null || isPresigned(file, seconds)
      ? { status: 200, body: record, secret: true }
      : { status: 200, body: record }
  })
}

const noLifetime = refusal(422, [
  {
    loc: ['query', 'presigned_ttl_seconds'],
    msg: 'Input should be the lifetime of the URL in seconds where download is true: such a URL is always signed',
    type: 'value_error',
  },
])
