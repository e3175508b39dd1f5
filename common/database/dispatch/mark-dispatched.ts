import type { Query } from '../query.ts'

/**
 * Locks the row. Does nothing where a resource is recorded already: a dispatcher that was slow must
 * not overwrite the UID of the one that was built after it.
 */
export async function markDispatched(
  query: Query,
  commandId: string,
  resourceUid: string,
): Promise<void> {
  await query(
    'mark_dispatched',
    `update commands set dispatched_at = now(), resource_uid = $2, resource_deleted_at = null,
       dispatch_leased_until = null, unmirrored_since = now()
     where command_id = $1 and dispatched_at is null`,
    [commandId, resourceUid],
  )
}
