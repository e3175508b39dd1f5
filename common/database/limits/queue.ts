import type { LimitStore, QueuedList, QueueState, Undispatched } from '../../store/limits.ts'
import type { Database } from '../connection/query.ts'

/** The length of an account's queues. */
export function queue({ query }: Database): Pick<LimitStore, 'readQueue' | 'readUndispatched'> {
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

    /** Locks nothing. Reads a row for each command that waits so. */
    readUndispatched: () =>
      query<Undispatched>(
        'read_undispatched',
        `select a.account_id as "accountId", a.name, a.plan, count(*)::integer as count,
           extract(epoch from now() - min(c.created_at))::double precision as "oldestSeconds",
           exists (select from pauses p
             where p.what in ('dispatch', 'admission') or p.account_id = a.account_id) as "isPaused"
         from commands c join accounts a using (account_id)
         where c.dispatched_at is null and c.finished_at is null
         group by a.account_id`,
        [],
      ),
  }
}

const queued: Readonly<Record<QueuedList, string>> = {
  commands: `select count(*)::integer from commands
    where account_id = $1 and command_type <> 'STORED_FILE' and list_status = 'QUEUED'`,
  files: `select count(*)::integer from files
    where account_id = $1 and deleted_at is null and status = 'QUEUED'`,
}
