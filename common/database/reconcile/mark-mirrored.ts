import type { Query } from '../query.ts'

/** Locks the row. A version older than what is marked changes nothing. */
export async function markMirrored(
  query: Query,
  commandId: string,
  version: number,
): Promise<void> {
  await query(
    'mark_mirrored',
    `update commands set
       mirrored_version = greatest(mirrored_version, least($2::bigint, version)),
       unmirrored_since = case when $2 >= version then null else unmirrored_since end,
       mirrored_at = case when $2 >= version and finished_at is not null
         then coalesce(mirrored_at, now()) end
     where command_id = $1 and mirrored_at is null
       and (mirrored_version < $2 or unmirrored_since is not null)`,
    [commandId, version],
  )
}
