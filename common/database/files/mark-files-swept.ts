import type { Query } from '../query.ts'

/** Locks the files. */
export async function markFilesSwept(query: Query, fileIds: readonly string[]): Promise<void> {
  await query(
    'mark_files_swept',
    'update files set swept_at = now() where file_id = any($1::uuid[]) and swept_at is null',
    [fileIds],
  )
}
