import type { Query } from './query.ts'

/** Locks nothing; pages by id, so a page costs the same wherever it begins. */
export function findDispatched(
  query: Query,
  page: { afterCommandId: string | null; limit: number },
): Promise<{ commandId: string; resourceUid: string }[]> {
  return query(
    'find_dispatched',
    `select command_id as "commandId", resource_uid as "resourceUid" from commands
     where dispatched_at is not null and resource_deleted_at is null and finished_at is null
       and ($1::uuid is null or command_id > $1)
     order by command_id limit $2`,
    [page.afterCommandId, page.limit],
  )
}
