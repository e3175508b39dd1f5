import type { StoredFile } from '../../store/files.ts'
import { fileColumns } from '../commands/command-columns.ts'
import { insertFileWork } from './insert-file-work.ts'
import type { Database } from '../query.ts'

/**
 * The end of the session, the state UPLOADED and the analysis in one transaction. Locks the file's
 * row; the guard is on the row as it is then, so of complete, abort, expiry and delete one wins.
 */
export function completeUpload(
  database: Database,
  { accountId, fileId }: { accountId: string; fileId: string },
): Promise<StoredFile | null> {
  return database.transaction(async (query) => {
    const [file] = await query<StoredFile>(
      'complete_upload',
      `update files f set status = 'UPLOADED', key = s.key, size_bytes = s.size_bytes
       from upload_sessions s
       where f.file_id = $1 and f.account_id = $2 and s.file_id = f.file_id
         and f.status = 'QUEUED' and f.deleted_at is null
       returning ${fileColumns}`,
      [fileId, accountId],
    )
    if (file === undefined) return null
    await query('end_session', 'delete from upload_sessions where file_id = $1', [fileId])
    await insertFileWork(query, fileId)
    return file
  })
}
