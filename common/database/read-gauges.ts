import type { Gauges } from '../store/health.ts'
import type { Query } from './query.ts'

/** Locks nothing. Finished commands are left out: counting them would read the whole history. */
export async function readGauges(query: Query): Promise<Gauges> {
  const [row] = await query<Gauges>(
    'read_gauges',
    `select
       coalesce((
         select jsonb_object_agg(status, count) from (
           select status, count(*) from commands
           where finished_at is null and command_type <> 'STORED_FILE' group by status
         ) s
       ), '{}') as "byStatus",
       coalesce((
         select extract(epoch from now() - min(created_at))::double precision
         from commands
         where admitted_at is null and finished_at is null and command_type <> 'STORED_FILE'
       ), 0) as "oldestQueuedSeconds",
       coalesce((
         select sum(vcpu_count) from commands where admitted_at is null and finished_at is null
       ), 0) as "queuedVcpus",
       coalesce((
         select sum(vcpu_count) from commands where admitted_at is not null and released_at is null
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
}
