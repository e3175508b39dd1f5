import type { Query } from '../query.ts'

/**
 * Locks nothing. Steps from one command to the next over the primary key: the commands that have
 * rows are few, their rows are not.
 */
export function findLogsToStore(
  query: Query,
  find: { olderThanSeconds: number; limit: number },
): Promise<{ commandId: string; accountId: string }[]> {
  return query(
    'find_logs_to_store',
    `with recursive written as (
       (select command_id from command_logs order by command_id limit 1)
       union all
       select (
         select l.command_id from command_logs l
         where l.command_id > written.command_id order by l.command_id limit 1
       )
       from written where written.command_id is not null
     )
     select c.command_id as "commandId", c.account_id as "accountId"
     from written join commands c using (command_id)
     where c.finished_at <= now() - make_interval(secs => $1)
     order by c.finished_at, c.command_id limit $2`,
    [find.olderThanSeconds, find.limit],
  )
}
