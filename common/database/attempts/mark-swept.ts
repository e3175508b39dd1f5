import type { Query } from '../query.ts'

/** Locks the attempt's row and the rows of its uploads, which are gone by now. */
export async function markSwept(query: Query, commandId: string, attempt: string): Promise<void> {
  await query(
    'mark_swept',
    `with swept as (
       update attempts set swept_at = now()
       where command_id = $1 and attempt = $2 and swept_at is null returning attempt
     )
     delete from uploads where command_id = $1 and attempt in (select attempt from swept)`,
    [commandId, attempt],
  )
}
