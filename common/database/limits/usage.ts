import { foldEnds } from './usage-ends.ts'
import type { Activity, LimitStore, Usage } from '../../store/limits.ts'
import type { Database, Query } from '../connection/query.ts'

/** Bytes that account $1 has used, by month and now. */
export const usedSql = `
  with counted as (
    select month, bytes from usage_totals where account_id = $1
    union all
    select month, bytes from usage_changes where account_id = $1
  )
  select coalesce(sum(bytes) filter (where counted.month is null), 0)::bigint as "storedBytes",
    coalesce(sum(bytes) filter (where counted.month = this.month), 0)::bigint as "processingBytes",
    this.month::timestamp at time zone 'UTC' as "monthStart",
    (this.month + interval '1 month') at time zone 'UTC' as "monthEnd"
  from (select date_trunc('month', now() at time zone 'UTC')::date as month) this
  left join counted on true
  group by this.month`

/** Usage and reservations of account $1. */
export const usageSql = `
  select used.*, reserved.bytes as "reservedBytes", reserved.output_bytes as "reservedOutputBytes"
  from (${usedSql}) used cross join (
    select coalesce(sum(bytes), 0)::bigint as bytes,
      coalesce(sum(output_bytes), 0)::bigint as output_bytes
    from (
      select bytes, output_bytes from reservations where account_id = $1
      union all
      select bytes, output_bytes from reservation_changes where account_id = $1
    ) changes
  ) reserved`

/** Bytes stored and processed, and the present activity of an account. */
export function usage({
  query,
}: Database): Pick<LimitStore, 'readUsage' | 'readActivity' | 'foldUsage'> {
  return {
    /** Locks nothing. One statement, so it sees all or nothing of a concurrent fold. */
    async readUsage(accountId) {
      const [row] = await query<Usage>('read_usage', usageSql, [accountId])
      if (row === undefined) throw new Error('the query returned no row')
      return row
    },

    /** Locks nothing; reads the waiting rows and the rows that hold vCPUs, each by its own index. */
    async readActivity(accountId) {
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
    },

    /**
     * Locks the changes it adds up, skips those that another replica has locked, and locks the totals and
     * then the hours in the order of accounts, so that concurrent folds cannot deadlock. The lock of a
     * total orders the folds of an account: the last one writes the bytes that the hour shows.
     */
    async foldUsage(limit) {
      const [row] = await query<{ folded: number }>(
        'fold_usage',
        `with folded as (
           delete from usage_changes where change_id in (
             select change_id from usage_changes order by change_id limit $1 for update skip locked
           ) returning account_id, month, bytes
         ), added as (
           insert into usage_totals (account_id, month, bytes)
           select account_id, month, sum(bytes) from folded group by account_id, month
           order by account_id, month
           on conflict (account_id, month) do update set bytes = usage_totals.bytes + excluded.bytes
           returning account_id, month, bytes
         ), shown as (
           insert into usage_hours (account_id, hour, stored_bytes)
           select account_id, date_trunc('hour', now(), 'UTC'), bytes from added
           where month is null order by account_id
           on conflict (account_id, hour) do update set stored_bytes = excluded.stored_bytes
         )
         select count(*)::integer as folded from folded`,
        [limit],
      )
      const reservations = await foldReservations(query, limit)
      return (row?.folded ?? 0) + reservations + (await foldEnds(query, limit))
    },
  }
}

/** Locks as the fold of usage does. */
async function foldReservations(query: Query, limit: number): Promise<number> {
  const [row] = await query<{ folded: number }>(
    'fold_reservations',
    `with folded as (
       delete from reservation_changes where change_id in (
         select change_id from reservation_changes order by change_id limit $1 for update skip locked
       ) returning account_id, bytes, output_bytes
     ), added as (
       insert into reservations (account_id, bytes, output_bytes)
       select account_id, sum(bytes), sum(output_bytes) from folded group by account_id
       order by account_id
       on conflict (account_id) do update set bytes = reservations.bytes + excluded.bytes,
         output_bytes = reservations.output_bytes + excluded.output_bytes
     )
     select count(*)::integer as folded from folded`,
    [limit],
  )
  return row?.folded ?? 0
}
