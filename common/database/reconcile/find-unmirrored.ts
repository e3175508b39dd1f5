import type { Query } from '../query.ts'

/** Locks nothing; reads the partial index of rows that are ahead of their custom resource. */
export function findUnmirrored(
  query: Query,
  limit: number,
): Promise<{ commandId: string; version: number; final: boolean }[]> {
  return query(
    'find_unmirrored',
    `select command_id as "commandId", version, finished_at is not null as final
     from commands
     where unmirrored_since is not null and dispatched_at is not null
       and resource_deleted_at is null
     order by finished_at is null, unmirrored_since, command_id limit $1`,
    [limit],
  )
}
