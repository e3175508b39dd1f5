import type { AbortedUpload, NoOpenUpload, StoredFile } from '../../store/files.ts'
import { fileColumns } from '../commands/command-columns.ts'
import { lockUpload } from './lock-upload.ts'
import type { Database } from '../query.ts'

/** Locks the file's row. The parts go afterwards; should that fail, the sweep finds the file. */
export function abortUpload(
  database: Database,
  { accountId, fileId }: { accountId: string; fileId: string },
): Promise<AbortedUpload | NoOpenUpload> {
  return database.transaction(async (query) => {
    const upload = await lockUpload(query, accountId, fileId)
    if (upload.kind !== 'open') return upload
    const [file] = await query<StoredFile>(
      'abort_upload',
      `update files f set status = 'FAILED', error_status = 'CANCELLED',
         error_message = 'Upload aborted by request'
       where f.file_id = $1 returning ${fileColumns}`,
      [fileId],
    )
    await query('end_session', 'delete from upload_sessions where file_id = $1', [fileId])
    if (file === undefined) return { kind: 'unknown' }
    return { kind: 'aborted', file, key: upload.key, uploadId: upload.uploadId }
  })
}
