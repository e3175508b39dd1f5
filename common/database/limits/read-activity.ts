import type { Activity } from '../../store/limits.ts'
import type { Query } from '../query.ts'

/** Locks nothing; reads what waits and what holds vCPUs, each by its own index. */
export async function readActivity(query: Query, accountId: string): Promise<Activity> {
  const [row] = await query<Activity>(
    'read_activity',
    `select count(*) filter (where status = 'QUEUED' and not file)::integer as queued,
       count(*) filter (where status in ('PROCESSING', 'PREPARED_FFMPEG_COMMAND') and not file)::integer
         as running,
       coalesce(sum(vcpu_count) filter (where holds), 0)::integer as "vcpuInUse"
     from (
       select status, vcpu_count, false as holds, command_type = 'STORED_FILE' as file
       from commands where account_id = $1 and admitted_at is null and finished_at is null
       union all
       select status, vcpu_count, true, command_type = 'STORED_FILE'
       from commands where account_id = $1 and admitted_at is not null and released_at is null
     ) c`,
    [accountId],
  )
  return row ?? { queued: 0, running: 0, vcpuInUse: 0 }
}
