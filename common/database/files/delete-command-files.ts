import type { Query } from '../query.ts'

/** Locks the files by ascending id, as every deletion does. Outputs exist once the command has ended. */
export async function deleteCommandFiles(
  query: Query,
  accountId: string,
  commandId: string,
): Promise<'deleted' | 'nothing-left' | 'unknown-command'> {
  const [row] = await query<{ isKnown: boolean; deleted: number }>(
    'delete_command_files',
    `with command as (
       select command_id from commands
       where command_id = $2 and account_id = $1 and command_type <> 'STORED_FILE'
     ), locked as (
       select f.file_id from files f join command c using (command_id)
       where f.deleted_at is null order by f.file_id for update of f
     ), deleted as (
       update files set deleted_at = now()
       where file_id in (select file_id from locked) and deleted_at is null returning file_id
     )
     select exists (select from command) as "isKnown",
       (select count(*)::integer from deleted) as deleted`,
    [accountId, commandId],
  )
  if (row?.isKnown !== true) return 'unknown-command'
  return row.deleted > 0 ? 'deleted' : 'nothing-left'
}
