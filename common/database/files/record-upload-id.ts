import type { UploadSession } from '../../store/files.ts'
import { sessionColumns } from './lock-upload.ts'
import type { Query } from '../query.ts'

/** Locks the session's row. The first upload id counts, so that a repeated request finds its parts. */
export async function recordUploadId(
  query: Query,
  begun: { fileId: string; uploadId: string; sessionSeconds: number },
): Promise<UploadSession | null> {
  const [session] = await query<UploadSession>(
    'record_upload_id',
    `update upload_sessions s set
       upload_id = coalesce(upload_id, $2),
       expires_at = case when upload_id is null
         then now() + make_interval(secs => $3) else expires_at end
     where file_id = $1
     returning ${sessionColumns}`,
    [begun.fileId, begun.uploadId, begun.sessionSeconds],
  )
  return session ?? null
}
