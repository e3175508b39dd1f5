import type { Query } from '../query.ts'

/** Locks the files by ascending id, as every deletion does. Outputs exist once the command has ended. */
export async function deleteCommandFiles(
  query: Query,
  accountId: string,
  commandId: string,
): Promise<boolean> {
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
}
