import type { FilesDeleted } from '../../store/files.ts'
import { isPlaylist } from './is-playlist.ts'
import type { Database, Query } from '../query.ts'

/**
 * All or none. Locks the work on the files first and the files then, as the commit of that work
 * does, each by ascending id: two deletions, or a deletion and a commit, never wait for each other
 * in a circle. A late commit finds the file deleted and leaves it as it is.
 */
export function deleteFiles(
  database: Database,
  deletion: { accountId: string; fileIds: readonly string[]; withoutManifests: boolean },
): Promise<FilesDeleted> {
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
    const refused = fileIds.filter((fileId) => withoutManifests && manifests.get(fileId) === true)
    if (refused.length > 0) return { kind: 'manifests', fileIds: refused }
    await markDeleted(query, fileIds)
    return { kind: 'deleted' }
  })
}

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
