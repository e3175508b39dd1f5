import type { Query } from '../query.ts'

/**
 * Locks nothing; pages by id. The second half is for what ended while nobody watched: without a
 * resource no event leads there, and its vCPUs would stay taken for ever.
 */
export async function findUnsettled(
  query: Query,
  page: { afterCommandId: string | null; limit: number },
): Promise<string[]> {
  const rows = await query<{ commandId: string }>(
    'find_unsettled',
    `select command_id as "commandId" from commands
     where ((dispatched_at is not null and resource_deleted_at is null and finished_at is null)
         or (admitted_at is not null and released_at is null and finished_at is not null))
       and ($1::uuid is null or command_id > $1)
     order by command_id limit $2`,
    [page.afterCommandId, page.limit],
  )
  return rows.map(({ commandId }) => commandId)
}
