import type { Query } from '../query.ts'

/** Locks the files that it deletes and passes over those that somebody else deletes. */
export async function expireFiles(query: Query, limit: number): Promise<number> {
  const expired = await query(
    'expire_files',
    `update files set deleted_at = now() where file_id in (
       select file_id from files where expires_at <= now() and deleted_at is null
         and status = 'STORED'
       order by expires_at limit $1 for update skip locked
     ) returning file_id`,
    [limit],
  )
  return expired.length
}
