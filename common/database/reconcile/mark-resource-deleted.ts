import type { Query } from '../query.ts'

/** Locks the row. */
export async function markResourceDeleted(query: Query, commandId: string): Promise<void> {
  await query(
    'mark_resource_deleted',
    `update commands set resource_deleted_at = now(), unmirrored_since = null
     where command_id = $1 and finished_at is not null and resource_deleted_at is null`,
    [commandId],
  )
}
