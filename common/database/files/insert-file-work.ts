import type { Query } from '../connection/query.ts'

/**
 * Inserts the work on a stored file (download it from its URL, or probe the uploaded object) as a
 * command row, so that dispatch, admission, attempts and the final commit apply to it. Call it in
 * the transaction that makes the file QUEUED or UPLOADED, so that no file exists without its work.
 * Idempotent. Takes the key-share lock of the account's row only.
 */
export async function insertFileWork(query: Query, fileId: string): Promise<void> {
  await query('insert_file_work', insertWork, [fileId, null])
}

/** $2 is the UID of the custom resource of a file that was applied with kubectl. */
export const insertWork = `
  insert into commands (
    command_id, account_id, environment_name, command_type, source, original_request,
    vcpu_count, max_run_seconds, is_private, steps, dispatched_at, resource_uid, unmirrored_since
  )
  select file_id, account_id, environment_name, 'STORED_FILE',
    json_build_object(
      'commands', json_build_array(), 'inputFiles', null, 'inputCompressedFolder', null,
      'outputFiles', null,
      'storedFile', case when key is null
        then json_build_object('url', original_file_url)
        else json_build_object(
          'upload', json_build_object('key', key, 'name', original_file_url)
        )
      end
    ),
    -- Fetching has an allowance of its own; this is what probing may take.
    '{}', 0, 120, is_private, '[]',
    case when $2::text is not null then now() end, $2,
    case when $2 is not null then now() end
  from files
  where file_id = $1 and store_type = 'STORED_FILE' and deleted_at is null
    and status in ('QUEUED', 'UPLOADED')
  on conflict (command_id) do nothing
  returning command_id`
