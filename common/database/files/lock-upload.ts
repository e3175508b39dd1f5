import type { FileStatus } from '../../domain/states.ts'
import type { NoOpenUpload, UploadSession } from '../../store/files.ts'
import type { Query } from '../query.ts'

export const sessionColumns = `
  s.upload_id as "uploadId", s.key, s.size_bytes as "sizeBytes", s.expires_at as "expiresAt",
  extract(epoch from s.expires_at - now())::double precision as "secondsLeft"`

/**
 * Locks the file's row, by which everything that happens to an upload takes turns, and reads its
 * session by a second statement: the first one would see it as it was before the wait for the lock.
 */
export async function lockUpload(
  query: Query,
  accountId: string,
  fileId: string,
): Promise<(UploadSession & { kind: 'open' }) | NoOpenUpload> {
  const [file] = await query<{ status: FileStatus; errorStatus: string | null }>(
    'lock_upload',
    `select status, error_status as "errorStatus" from files
     where file_id = $1 and account_id = $2 and deleted_at is null for update`,
    [fileId, accountId],
  )
  if (file === undefined) return { kind: 'unknown' }
  const [session] = await query<
    Omit<UploadSession, 'uploadId'> & { uploadId: string | null; busyMs: number }
  >(
    'upload_session',
    `select ${sessionColumns},
       greatest(0, extract(epoch from s.completing_until - now()) * 1000)::double precision as "busyMs"
     from upload_sessions s where s.file_id = $1`,
    [fileId],
  )
  if (session === undefined || file.status !== 'QUEUED') {
    return { kind: 'ended', expired: file.errorStatus === 'UPLOAD_EXPIRED' }
  }
  const { uploadId, busyMs, ...open } = session
  if (busyMs > 0) return { kind: 'completing', forMs: busyMs }
  if (open.secondsLeft <= 0) return { kind: 'ended', expired: true }
  // Not begun: nobody was ever told of it.
  return uploadId === null ? { kind: 'ended', expired: false } : { kind: 'open', uploadId, ...open }
}
