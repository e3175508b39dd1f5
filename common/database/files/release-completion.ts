import type { Query } from '../query.ts'

/** Locks the session's row. A claim that another one followed stays. */
export async function releaseCompletion(
  query: Query,
  fileId: string,
  claim: string,
): Promise<void> {
  await query(
    'release_completion',
    `update upload_sessions set completing_until = null
     where file_id = $1 and completing_until = $2::timestamptz`,
    [fileId, claim],
  )
}
