import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import { createListPages, listAnswer } from '../reads/list-pages.ts'
import { fileListItem } from './file-record.ts'
import { isPresigned } from './file-urls.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { Answer } from '../http/errors.ts'
import type { FileKind, FileType } from '../../common/store/lists/file-filters.ts'
import type { StoredFile } from '../../common/store/files.ts'
import type { Store } from '../../common/store/store.ts'
import type { FileUrls } from './file-urls.ts'

interface Deps {
  readonly store: Pick<Store, 'listFiles' | 'filterFiles'>
  readonly fileUrls: FileUrls
}

/** `GET /v1/files`: a bare array, newest first, without deleted files. */
export function listFiles({ store, fileUrls }: Deps): Endpoint {
  const pages = createListPages()
  return endpoint('listFiles', async ({ query }, { key }) => {
    const { limit, offset, status } = query
    if (query.before_id !== undefined && offset > 0) throw twoPlaces
    const list = { accountId: key.account.accountId, limit, offset, status: status ?? null }
    const filter = filterFrom(query)
    if (filter !== null) return answerWith(await store.filterFiles({ ...list, ...filter }))
    return pages(list, async () => answerWith(await store.listFiles(list)))
  })

  async function answerWith(files: readonly StoredFile[]): Promise<Answer> {
    const urlOf = await fileUrls(files, null)
    const items = files.map((file) => fileListItem(file, urlOf))
    return files.some((file) => isPresigned(file, null))
      ? { status: 200, body: items, secret: true }
      : listAnswer(items)
  }
}

interface Query {
  readonly kind?: string
  readonly file_type?: string
  readonly command_id?: string
  readonly created_after?: string
  readonly created_before?: string
  readonly before_id?: string
}

/** @returns null for a list by at most a status, which has statements of its own for any offset */
function filterFrom(query: Query) {
  const { kind, file_type, command_id, created_after, created_before, before_id } = query
  const all = [kind, file_type, command_id, created_after, created_before, before_id]
  if (all.every((one) => one === undefined)) return null
  return {
    kinds: namesIn<FileKind>(kind),
    types: namesIn<FileType>(file_type),
    commandId: command_id?.toLowerCase() ?? null,
    createdAfter: created_after ?? null,
    createdBefore: created_before ?? null,
    beforeId: before_id?.toLowerCase() ?? null,
  }
}

/** The schema has checked each name. */
function namesIn<Name extends string>(list: string | undefined): Name[] | null {
  return list === undefined ? null : ([...new Set(list.split(','))] as Name[])
}

const twoPlaces = refusal(422, [
  {
    loc: ['query', 'before_id'],
    msg: 'Input should be absent where offset is set: both name the place where the page begins',
    type: 'value_error',
  },
])
