import { attemptPrefix } from '../../domain/storage-keys.ts'
import type { Store } from '../../store/store.ts'
import type { Upload } from '../../store/attempts.ts'
import type { Query } from '../query.ts'

/**
 * Locks nothing: sweeping twice deletes nothing twice. Of a stored file that was deleted while it was
 * fetched, not even the winner's objects stay.
 */
export async function findSweepable(
  query: Query,
  sweep: { olderThanSeconds: number; limit: number },
): ReturnType<Store['findSweepable']> {
  const rows = await query<{
    commandId: string
    accountId: string
    isPrivate: boolean
    attempt: string
    won: boolean
    uploads: Upload[]
  }>(
    'find_sweepable',
    `select c.command_id as "commandId", c.account_id as "accountId",
       c.is_private as "isPrivate", a.attempt,
       c.status = 'SUCCESS' and c.attempt = a.attempt and not exists (
         select from files f where f.file_id = c.command_id and f.deleted_at is not null
       ) as won,
       coalesce((
         select jsonb_agg(jsonb_build_object(
           'commandId', u.command_id, 'attempt', u.attempt, 'key', u.key, 'uploadId', u.upload_id
         ) order by u.created_at, u.upload_id)
         from uploads u where u.attempt = a.attempt
       ), '[]') as uploads
     from attempts a join commands c using (command_id)
     where a.sweep_from <= now() - make_interval(secs => $1) and a.swept_at is null
     order by a.sweep_from, a.attempt limit $2`,
    [sweep.olderThanSeconds, sweep.limit],
  )
  return rows.map(({ commandId, accountId, isPrivate, attempt, won, uploads }) => {
    const visibility = isPrivate ? 'private' : 'public'
    const prefix = attemptPrefix({ visibility, accountId, commandId, attempt })
    return { commandId, attempt, prefix: won ? null : prefix, uploads }
  })
}
