import type { NewUpload } from '../../store/files.ts'
import type { Query } from '../query.ts'

/**
 * The rows come before the upload in the object store: a crash in between leaves a session that
 * expires, while an upload that no row names would cost its parts for ever. One statement; takes the
 * key-share lock of the account's row only.
 */
export async function openUpload(query: Query, upload: NewUpload): Promise<{ repeated: boolean }> {
  const opened = await query(
    'open_upload',
    `with file as (
       insert into files (
         file_id, account_id, environment_name, is_private, store_type, status,
         original_file_url, webhook_url
       ) values ($1, $2, $3, $4, 'STORED_FILE', 'QUEUED', $5, $6)
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
    ],
  )
  return { repeated: opened.length === 0 }
}
