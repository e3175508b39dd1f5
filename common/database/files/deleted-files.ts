import { postponed, sweepBacklog } from '../sweeps/sweep-backlog.ts'
import type { FileSweepStore, StoredFileStore, SweepableFile } from '../../store/files.ts'
import type { Database, Query } from '../connection/query.ts'

/**
 * Whether file `f` is the manifest of a playlist that a command has stored with its segments. An
 * uploaded manifest, or another output with the name of one, has no segments.
 */
export const isPlaylist = `
  (f.store_type = 'OUTPUT' and f.file_count is not null
    and coalesce(f.media ->> 'file_type' = 'output_manifest', false))`

/** Deletion and expiry of files, and the sweep of their objects. */
export function deletedFiles(
  database: Database,
): Pick<StoredFileStore, 'deleteFiles' | 'deleteCommandFiles'> & FileSweepStore {
  const { query } = database
  return {
    /**
     * Deletes all or none. Locks the work on the files first and then the files, as the commit of that
     * work does, each by ascending id, so that deletions and commits cannot deadlock. A late commit
     * finds the file deleted and does not change it.
     */
    deleteFiles(deletion) {
      const { accountId, fileIds, withoutManifests } = deletion
      return database.transaction(async (query) => {
        await query(
          'lock_file_work',
          `select from commands where command_id = any($1::uuid[]) and account_id = $2
             and command_type = 'STORED_FILE' and finished_at is null
           order by command_id for update`,
          [fileIds, accountId],
        )
        const found = await query<{ fileId: string; isManifest: boolean }>(
          'lock_files',
          `select file_id as "fileId",
             ${isPlaylist} as "isManifest"
           from files f where file_id = any($1::uuid[]) and account_id = $2 and deleted_at is null
           order by file_id for update`,
          [fileIds, accountId],
        )
        const manifests = new Map(found.map(({ fileId, isManifest }) => [fileId, isManifest]))
        const missing = fileIds.filter((fileId) => !manifests.has(fileId))
        if (missing.length > 0) return { kind: 'missing', fileIds: missing }
        const refused = fileIds.filter(
          (fileId) => withoutManifests && manifests.get(fileId) === true,
        )
        if (refused.length > 0) return { kind: 'manifests', fileIds: refused }
        await markDeleted(query, fileIds)
        return { kind: 'deleted' }
      })
    },

    /** Locks the files by ascending id, as every deletion does. Outputs exist once the command has ended. */
    async deleteCommandFiles(accountId, commandId) {
      const [row] = await query<{ deleted: number }>(
        'delete_command_files',
        `with locked as (
           select file_id from files
           where command_id = $2 and account_id = $1 and deleted_at is null
           order by file_id for update
         ), deleted as (
           update files set deleted_at = now()
           where file_id in (select file_id from locked) and deleted_at is null returning file_id
         )
         select count(*)::integer as deleted from deleted`,
        [accountId, commandId],
      )
      return row !== undefined && row.deleted > 0
    },

    /**
     * Expired sessions, oldest first. Locks the files and skips those that another transaction has
     * locked: the next pass finds them. A completion in flight may still succeed.
     */
    async expireUploads(limit) {
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
    },

    /** Locks the files that it deletes and skips those that another transaction deletes. */
    async expireFiles(limit) {
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
    },

    /**
     * Locks nothing: the sweep is idempotent. A file is returned after the end of its work, which could
     * store an object after the sweep otherwise.
     */
    findSweepableFiles({ limit }) {
      return query<SweepableFile>('find_sweepable_files', findSweepableFilesSql, [limit])
    },

    /** Locks the files. */
    async markFilesSwept(fileIds) {
      await query(
        'mark_files_swept',
        'update files set swept_at = now() where file_id = any($1::uuid[]) and swept_at is null',
        [fileIds],
      )
    },

    /** Locks the files. */
    async postponeFileSweeps(fileIds) {
      await query(
        'postpone_file_sweeps',
        `update files set ${postponed} where file_id = any($1::uuid[]) and swept_at is null`,
        [fileIds],
      )
    },

    /** Locks nothing; reads the index of files that are not swept. */
    fileSweepBacklog() {
      const rows = `coalesce(f.deleted_at, f.created_at) as due_at from files f where ${isUnswept}`
      return sweepBacklog(
        query,
        {
          name: 'file_sweep_backlog',
          fresh: `${rows} and f.sweep_retry_at is null order by f.sweep_retry_at, f.file_id`,
          failing: `${rows} and f.sweep_retry_at is not null and f.sweep_tries > 0`,
        },
        [],
      )
    },
  }
}

const isUnswept = "f.swept_at is null and (f.deleted_at is not null or f.status = 'FAILED')"

/** The sort is that of the index: a page costs its own rows, however many there are. */
function dueFiles(condition: string): string {
  return `(
        select f.* from files f
        where ${isUnswept} and ${condition} and not exists (
          select from commands c where c.command_id = f.file_id and c.finished_at is null
        )
        order by f.sweep_retry_at, f.file_id limit $1
      )`
}

/** $1 is the limit. */
export const findSweepableFilesSql = `select f.file_id as "fileId", f.account_id as "accountId", f.store_type as "storeType",
           f.is_private as "isPrivate", f.key, f.original_file_url as "originalFileUrl",
           ${isPlaylist} as "isManifest"
         from (
           ${dueFiles('f.sweep_retry_at is null')} union all ${dueFiles('f.sweep_retry_at <= now()')}
         ) f
         order by coalesce(f.sweep_retry_at, f.deleted_at, f.created_at), f.file_id limit $1`

async function markDeleted(query: Query, fileIds: readonly string[]): Promise<void> {
  await query(
    'delete_files',
    `update files set deleted_at = now(),
       status = case when status = 'STORED' then status else 'FAILED' end,
       error_status = case when status = 'STORED' then null else coalesce(error_status, 'CANCELLED') end,
       error_message = case when status = 'STORED' then null
         else coalesce(error_message, 'Deleted by request') end
     where file_id = any($1::uuid[])`,
    [fileIds],
  )
  await query('end_sessions', 'delete from upload_sessions where file_id = any($1::uuid[])', [
    fileIds,
  ])
  await query(
    'cancel_file_work',
    `update commands set cancel_requested = true, version = version + 1,
       unmirrored_since = coalesce(unmirrored_since, now())
     where command_id = any($1::uuid[]) and command_type = 'STORED_FILE'
       and not cancel_requested and finished_at is null`,
    [fileIds],
  )
}
