import type { SweepableFile } from '../../store/files.ts'
import { isPlaylist } from './is-playlist.ts'
import type { Query } from '../query.ts'

/**
 * Locks nothing: sweeping twice deletes nothing twice. A file waits for the end of its work, which
 * could store an object behind the sweep's back.
 */
export function findSweepableFiles(
  query: Query,
  { after, limit }: { after: string | null; limit: number },
): Promise<SweepableFile[]> {
  return query<SweepableFile>(
    'find_sweepable_files',
    `select f.file_id as "fileId", f.account_id as "accountId", f.store_type as "storeType",
       f.is_private as "isPrivate", f.key, f.original_file_url as "originalFileUrl",
       ${isPlaylist} as "isManifest"
     from files f
     where f.swept_at is null and (f.deleted_at is not null or f.status = 'FAILED')
       and ($1::uuid is null or f.file_id > $1)
       and not exists (
         select from commands c where c.command_id = f.file_id and c.finished_at is null
       )
     order by f.file_id limit $2`,
    [after, limit],
  )
}
