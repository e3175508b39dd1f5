import type { CompletionClaim, NoOpenUpload } from '../../store/files.ts'
import { lockUpload } from './lock-upload.ts'
import type { Database } from '../query.ts'

/** Locks the file's row. The claim only spares the object store double work: the commit decides. */
export function claimCompletion(
  database: Database,
  { accountId, fileId, claimSeconds }: { accountId: string; fileId: string; claimSeconds: number },
): Promise<CompletionClaim | NoOpenUpload> {
  return database.transaction(async (query) => {
    const upload = await lockUpload(query, accountId, fileId)
    if (upload.kind !== 'open') return upload
    const [claimed] = await query<{ claim: string }>(
      'claim_completion',
      // As text: JavaScript's dates would cut the microseconds off.
      `update upload_sessions set completing_until = now() + make_interval(secs => $2)
       where file_id = $1 returning completing_until::text as claim`,
      [fileId, claimSeconds],
    )
    return { ...upload, kind: 'claimed', claim: claimed?.claim ?? '' }
  })
}
