import type { Upload } from '../../store/attempts.ts'
import type { Query } from '../query.ts'

/** Locks nothing. */
export async function findUpload(
  query: Query,
  attempt: string,
  key: string,
): Promise<Upload | null> {
  const [upload] = await query<Upload>(
    'find_upload',
    `select command_id as "commandId", attempt, key, upload_id as "uploadId"
     from uploads where attempt = $1 and key = $2 order by created_at desc, upload_id limit 1`,
    [attempt, key],
  )
  return upload ?? null
}
