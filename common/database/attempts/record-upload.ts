import type { Upload } from '../../store/attempts.ts'
import type { Query } from '../query.ts'

/** Locks nothing that exists. */
export async function recordUpload(query: Query, upload: Upload): Promise<void> {
  await query(
    'record_upload',
    `insert into uploads (upload_id, command_id, attempt, key) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [upload.uploadId, upload.commandId, upload.attempt, upload.key],
  )
}
