import { waitsToStart } from './commands/queue-position.ts'
import { checkSchema } from './migration/schema-check.ts'
import type { Gauges, HealthStore } from '../store/health.ts'
import type { Database } from './connection/query.ts'

/** Health check of the database, and gauges over all rows. */
export function health({ query }: Database): HealthStore {
  return {
    /** Locks nothing. A database that still waits for its migration counts as unavailable. */
    async ping() {
      await checkSchema(query)
    },

    /** Locks nothing. Finished commands are left out: counting them would read the whole history. */
    async gauges() {
      const [row] = await query<Gauges>(
        'read_gauges',
        `select
           coalesce((
             select jsonb_object_agg(status, count) from (
               select status, count(*) from commands
               where finished_at is null and command_type <> 'STORED_FILE' group by status
             ) s
           ), '{}') as "byStatus",
           ${waiting} as waiting,
           coalesce((
             select sum(vcpu_count) from commands
             where admitted_at is not null and released_at is null
           ), 0) as "ledgerVcpus",
           coalesce((
             select extract(epoch from now() - min(unmirrored_since))::double precision
             from commands
             where unmirrored_since is not null and dispatched_at is not null
               and resource_deleted_at is null
           ), 0) as "unmirroredSeconds",
           coalesce((
             select extract(epoch from now() - min(created_at))::double precision
             from commands where dispatched_at is null and finished_at is null
           ), 0) as "undispatchedSeconds",
           coalesce((
             select extract(epoch from now() - min(dispatch_error_since))::double precision
             from commands where dispatched_at is null and finished_at is null
           ), 0) as "dispatchErrorSeconds"`,
      )
      if (row === undefined) throw new Error('a statement without FROM returned no row')
      return row
    },

    /** Locks nothing; reads the rows that hold a Job. */
    async findHolding() {
      const rows = await query<{ commandId: string }>(
        'find_holding',
        `select command_id as "commandId" from commands
         where admitted_at is not null and released_at is null`,
      )
      return rows.map(({ commandId }) => commandId)
    },
  }
}

/** By `queue_reason`: that of an account counts for its whole queue. NONE: no pass has left one yet. */
const waiting = `
  coalesce((
    select jsonb_object_agg(reason, jsonb_build_object(
      'commands', commands, 'vcpus', vcpus, 'oldestSeconds', oldest
    )) from (
      select case when ${waitsToStart} then c.start_wait
          else coalesce(
            nullif(share.reason, 'ACCOUNT_FILES'),
            case when c.dispatched_at is null then 'DISPATCH' end, 'NONE'
          ) end as reason,
        count(*) as commands, sum(c.vcpu_count) as vcpus,
        extract(epoch from now() - min(c.created_at))::double precision as oldest
      from commands c left join account_shares share using (account_id)
      where c.finished_at is null
        and (c.admitted_at is null or ${waitsToStart})
        and c.command_type <> 'STORED_FILE'
      group by 1
    ) by_reason
  ), '{}')`
