import { fileColumns } from '../commands/command-columns.ts'
import { insertFileWork } from './insert-file-work.ts'
import type { FileStatus } from '../../domain/states.ts'
import type { NoOpenUpload, StoredFile, StoredFileStore, UploadSession } from '../../store/files.ts'
import type { Database, Query } from '../connection/query.ts'

export const sessionColumns = `
  s.upload_id as "uploadId", s.key, s.size_bytes as "sizeBytes", s.part_bytes as "partBytes",
  s.expires_at as "expiresAt",
  extract(epoch from s.expires_at - now())::double precision as "secondsLeft"`

/** Upload sessions, from the first part URL to the record or the abort. */
export function uploads(
  database: Database,
): Pick<
  StoredFileStore,
  | 'openUpload'
  | 'findUploadId'
  | 'recordUploadId'
  | 'claimCompletion'
  | 'releaseCompletion'
  | 'completeUpload'
  | 'abortUpload'
> {
  const { query } = database
  return {
    /**
     * The rows are inserted before the upload begins in the object store: a crash in between leaves a
     * session that expires, while the parts of an upload without a row would never be deleted. One
     * statement; takes the key-share lock of the account's row only.
     */
    async openUpload(upload) {
      const opened = await query(
        'open_upload',
        `with file as (
           insert into files (
             file_id, account_id, environment_name, is_private, store_type, status,
             original_file_url, webhook_url, expires_at
           ) values (
             $1, $2, $3, $4, 'STORED_FILE', 'QUEUED', $5, $6, now() + make_interval(days => $11)
           )
           on conflict (file_id) do nothing
           returning file_id
         )
         insert into upload_sessions (file_id, account_id, key, size_bytes, part_bytes, expires_at)
         select file_id, $2, $7, $8, $9, now() + make_interval(secs => $10) from file
         returning file_id`,
        [
          upload.fileId,
          upload.accountId,
          upload.environmentName,
          upload.isPrivate,
          upload.originalFileUrl,
          upload.webhookUrl,
          upload.key,
          upload.sizeBytes,
          upload.partBytes,
          upload.beginSeconds,
          upload.keepDays ?? null,
        ],
      )
      return { repeated: opened.length === 0 }
    },

    /** Locks nothing. null: the session was not begun, or has ended. */
    async findUploadId(fileId) {
      const [session] = await query<{ uploadId: string | null }>(
        'find_upload_id',
        'select upload_id as "uploadId" from upload_sessions where file_id = $1',
        [fileId],
      )
      return session?.uploadId ?? null
    },

    /** Locks the session's row. The first upload id stays, so that a retried request finds its parts. */
    async recordUploadId(begun) {
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
    },

    /** Locks the file's row. The claim only avoids duplicate work in the object store: the commit decides. */
    claimCompletion({ accountId, fileId, claimSeconds }) {
      return database.transaction(async (query) => {
        const upload = await lockUpload(query, accountId, fileId)
        if (upload.kind !== 'open') return upload
        const [claimed] = await query<{ claim: string }>(
          'claim_completion',
          // The time is text: JavaScript's dates would cut the microseconds off.
          `update upload_sessions set completing_until = now() + make_interval(secs => $2)
           where file_id = $1 returning completing_until::text as claim`,
          [fileId, claimSeconds],
        )
        return { ...upload, kind: 'claimed', claim: claimed?.claim ?? '' }
      })
    },

    /** Locks the session's row. Changes nothing if a later claim holds the session. */
    async releaseCompletion(fileId, claim) {
      await query(
        'release_completion',
        `update upload_sessions set completing_until = null
         where file_id = $1 and completing_until = $2::timestamptz`,
        [fileId, claim],
      )
    },

    /**
     * The end of the session, the state UPLOADED and the analysis in one transaction. Locks the file's
     * row; the guard is checked under the lock, so one of complete, abort, expiry and delete wins.
     */
    completeUpload({ accountId, fileId }) {
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
    },

    /** Locks the file's row. The caller deletes the parts; if that fails, the sweep does. */
    abortUpload({ accountId, fileId }) {
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
    },
  }
}

/**
 * Locks the file's row, which serializes all changes of an upload, and reads its session by a second
 * statement: the first one's snapshot is from before the wait for the lock.
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
  // The upload was not begun, so no client has its id.
  return uploadId === null ? { kind: 'ended', expired: false } : { kind: 'open', uploadId, ...open }
}
