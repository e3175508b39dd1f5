import type { Query } from '../query.ts'

/** Locks nothing. null: the session was not begun, or has ended. */
export async function findUploadId(query: Query, fileId: string): Promise<string | null> {
  const [session] = await query<{ uploadId: string | null }>(
    'find_upload_id',
    'select upload_id as "uploadId" from upload_sessions where file_id = $1',
    [fileId],
  )
  return session?.uploadId ?? null
}
