import type { Query } from '../query.ts'

/** Locks the row it deletes. */
export async function forgetUpload(query: Query, uploadId: string): Promise<void> {
  await query('forget_upload', 'delete from uploads where upload_id = $1', [uploadId])
}
