import type { Query } from '../query.ts'

/** Locks the row and its log rows, which nobody can follow any more. */
export async function markResourceDeleted(query: Query, commandId: string): Promise<void> {
  await query(
    'mark_resource_deleted',
    `with gone as (
       update commands set resource_deleted_at = now(), unmirrored_since = null
       where command_id = $1 and finished_at is not null and resource_deleted_at is null
       returning command_id
     )
     delete from command_logs where command_id in (select command_id from gone)`,
    [commandId],
  )
}
