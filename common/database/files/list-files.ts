import type { FileStatus } from '../../domain/states.ts'
import type { StoredFile } from '../../store/files.ts'
import { fileColumns } from '../commands/command-columns.ts'
import { fromOffset } from '../lists/from-offset.ts'
import type { Query } from '../query.ts'

/** Locks nothing. The same time at any offset, with any status. */
export function listFiles(
  query: Query,
  list: { accountId: string; status: FileStatus | null; limit: number; offset: number },
): Promise<StoredFile[]> {
  const values = [list.accountId, list.limit, list.offset]
  const page = fromOffset({
    ...{ list: 'files', table: 'files', id: 'file_id' },
    counter: list.status === null ? 'listed' : counters[list.status],
    condition: `deleted_at is null${list.status === null ? '' : ` and status = '${list.status}'`}`,
  })
  return query<StoredFile>(
    `list_files_${list.status ?? 'all'}`,
    `with ${page} select ${fileColumns} from page f order by f.created_at desc, f.file_id desc`,
    values,
  )
}

const counters = {
  QUEUED: 'queued',
  DOWNLOADING: 'downloading',
  DOWNLOADED: 'downloaded',
  UPLOADED: 'uploaded',
  STORED: 'stored',
  FAILED: 'failed',
} as const satisfies Record<FileStatus, string>
