import type { LimitStore, QueueState } from '../../store/limits.ts'
import type { Database } from '../connection/query.ts'

/** The length of an account's queues. */
export function queue({ query }: Database): Pick<LimitStore, 'readQueue'> {
  return {
    /** Locks nothing. Reads the counters of the account's lists and the rows that hold vCPUs, not the waiting rows. */
    async readQueue(accountId, list) {
      const [row] = await query<QueueState>(
        'read_queue',
        `select coalesce(sum(queued), 0)::integer as queued,
           (select count(*)::integer from commands
            where account_id = $1 and admitted_at is not null and released_at is null) as running,
           (select mean_seconds from account_shares where account_id = $1) as "meanSeconds"
         from (
           select queued from list_buckets where account_id = $1 and list = $2 and not grouped
           union all
           select queued from list_groups where account_id = $1 and list = $2
         ) counted`,
        [accountId, list],
      )
      return row ?? { queued: 0, running: 0, meanSeconds: null }
    },
  }
}
