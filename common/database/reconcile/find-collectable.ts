import type { Query } from '../query.ts'

/** Locks nothing; the custom resources alive are few (they have a cap), so ranking them is cheap. */
export async function findCollectable(
  query: Query,
  collect: { olderThanSeconds: number; keepNewest: number; keepSeconds: number; limit: number },
): Promise<string[]> {
  const rows = await query<{ commandId: string }>(
    'find_collectable',
    `select command_id as "commandId" from (
       select command_id, mirrored_at,
         row_number() over (order by mirrored_at desc, command_id desc) as newness
       from commands
       where dispatched_at is not null and resource_deleted_at is null
         and mirrored_at is not null and released_at is not null
     ) finished
     where mirrored_at <= now() - make_interval(secs => $1)
       and (newness > $2::bigint or mirrored_at <= now() - make_interval(secs => $3))
     order by mirrored_at, command_id limit $4`,
    [collect.olderThanSeconds, collect.keepNewest, collect.keepSeconds, collect.limit],
  )
  return rows.map((row) => row.commandId)
}
