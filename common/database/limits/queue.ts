import type { LimitStore, QueuedList, QueueState } from '../../store/limits.ts'
import type { Database } from '../connection/query.ts'

/** The length of an account's queues. */
export function queue({ query }: Database): Pick<LimitStore, 'readQueue'> {
  return {
    /** Locks nothing. Counts the waiting rows in their index, and reads the rows that hold vCPUs. */
    async readQueue(accountId, list) {
      const [row] = await query<QueueState>(
        `read_queue_${list}`,
        `select (${queued[list]}) as queued,
           (select count(*)::integer from commands
            where account_id = $1 and admitted_at is not null and released_at is null) as running,
           (select mean_seconds from account_shares where account_id = $1) as "meanSeconds"`,
        [accountId],
      )
      return row ?? { queued: 0, running: 0, meanSeconds: null }
    },
  }
}

const queued: Readonly<Record<QueuedList, string>> = {
  commands: `select count(*)::integer from commands
    where account_id = $1 and command_type <> 'STORED_FILE' and list_status = 'QUEUED'`,
  files: `select count(*)::integer from files
    where account_id = $1 and deleted_at is null and status = 'QUEUED'`,
}
