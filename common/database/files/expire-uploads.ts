import type { Query } from '../query.ts'

/**
 * Sessions past their time, oldest first. Locks the files and passes over those that somebody is
 * busy with: the next round finds them. A completion under way may still succeed.
 */
export async function expireUploads(query: Query, limit: number): Promise<number> {
  const expired = await query(
    'expire_uploads',
    `with due as (
       select f.file_id, round(extract(epoch from s.expires_at - f.created_at) / 60)::integer as minutes
       from upload_sessions s join files f using (file_id)
       where s.expires_at <= now() and coalesce(s.completing_until <= now(), true)
         and f.status = 'QUEUED' and f.deleted_at is null
       order by s.expires_at limit $1 for update of f skip locked
     ), failed as (
       update files f set status = 'FAILED', error_status = 'UPLOAD_EXPIRED',
         error_message = 'Upload session expired after ' || case
           when minutes % 60 <> 0 then minutes || ' minutes'
           when minutes = 60 then '1 hour' else minutes / 60 || ' hours'
         end
       from due where f.file_id = due.file_id
     )
     delete from upload_sessions s using due where s.file_id = due.file_id returning s.file_id`,
    [limit],
  )
  return expired.length
}
