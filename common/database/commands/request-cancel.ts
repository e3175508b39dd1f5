import type { Query } from '../query.ts'

/** Locks the row, once: a repeated wish changes nothing. */
export async function requestCancel(query: Query, commandId: string): Promise<void> {
  await query(
    'request_cancel',
    `update commands set cancel_requested = true, version = version + 1,
       unmirrored_since = coalesce(unmirrored_since, now())
     where command_id = $1 and not cancel_requested and finished_at is null`,
    [commandId],
  )
}
