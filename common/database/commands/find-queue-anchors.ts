import type { QueueAnchor } from '../../store/command-states.ts'
import type { Query } from '../query.ts'

/** Locks nothing; walks the index of the account's waiting rows once. */
export function findQueueAnchors(
  query: Query,
  accountId: string,
  every: number,
): Promise<QueueAnchor[]> {
  return query<QueueAnchor>(
    'find_queue_anchors',
    `select command_id as "commandId", created_at as "createdAt", position::integer
     from (
       select command_id, created_at,
         row_number() over (order by created_at, command_id) as position
       from commands
       where account_id = $1 and admitted_at is null and finished_at is null and vcpu_count > 0
     ) waiting
     where position % $2 = 0
     order by position`,
    [accountId, every],
  )
}
