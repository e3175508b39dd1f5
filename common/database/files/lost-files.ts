import { isPlaylist } from './deleted-files.ts'
import { orphanAge } from './orphans.ts'
import type { FilePlace, RestoreCheckStore } from '../../store/administration/restore-check.ts'
import type { Database } from '../connection/query.ts'

/** Files whose objects are missing after a restore of the database or of the bucket. */
export function lostFiles({
  query,
}: Database): Pick<RestoreCheckStore, 'pageStoredFiles' | 'markFilesLost'> {
  return {
    /** Locks nothing; a page costs its own rows. */
    pageStoredFiles({ accountId, after, limit }) {
      return query<FilePlace & { key: string }>(
        'page_stored_files',
        `select file_id as "fileId", created_at::text as "createdAt", key from files
         where account_id = $1 and deleted_at is null and status = 'STORED'
           and ($2::timestamptz is null or (created_at, file_id) < ($2::timestamptz, $3::uuid))
         order by created_at desc, file_id desc limit $4`,
        [accountId, after?.createdAt ?? null, after?.fileId ?? null, limit],
      )
    },

    /**
     * Locks the files by ascending id, as every deletion does. Only a playlist can have objects left: they
     * wait as orphans do, without a failed try.
     */
    async markFilesLost(fileIds) {
      const lost = await query(
        'mark_files_lost',
        `with locked as (
           select file_id from files
           where file_id = any($1::uuid[]) and deleted_at is null and status = 'STORED'
           order by file_id for update
         )
         update files f set deleted_at = now(), lost_at = now(),
           swept_at = case when ${isPlaylist} then null else now() end,
           sweep_retry_at = case when ${isPlaylist} then now() + ${orphanAge} end
         where file_id in (select file_id from locked) and deleted_at is null
         returning file_id`,
        [fileIds],
      )
      return lost.length
    },
  }
}
