import { hoursOf, sums } from './usage-ends.ts'
import { usedSql } from './usage.ts'
import type { AccountUsage, LimitStore, UsageHour } from '../../store/limits.ts'
import type { Database } from '../connection/query.ts'

/** Figures of the hours of an account, from the ends of its commands. */
export function usageHistory({
  query,
}: Database): Pick<
  LimitStore,
  'readUsageHistory' | 'readUsageByAccount' | 'countErrors' | 'recordVcpuPeaks'
> {
  return {
    /** Locks nothing. The hours are one statement, so it sees all or nothing of a concurrent fold. */
    async readUsageHistory({ accountId, from, to }) {
      const [hours, [stored]] = await Promise.all([
        query<UsageHour>(
          'read_usage_hours',
          `select hour, succeeded, failed, cancelled, errors, processing_bytes as "processingBytes",
             vcpu_seconds as "vcpuSeconds", ffmpeg_seconds as "ffmpegSeconds", waits,
             peak_vcpus as "peakVcpus", stored_bytes as "storedBytes"
           from (
             select hour, ${sums}, peak_vcpus, stored_bytes from usage_hours
             where account_id = $1 and hour >= $2 and hour < $3
             union all
             select hour, ${sums}, 0, null from (${hoursOf(
               `(select * from usage_ends
                 where account_id = $1 and ended_at >= $2 and ended_at < $3) ends`,
             )}) unfolded
           ) hours order by hour`,
          [accountId, from, to],
        ),
        query<{ before: number | null; changed: boolean; now: number }>(
          'read_stored_before',
          `select (
               select stored_bytes from usage_hours
               where account_id = $1 and hour < $2 and stored_bytes is not null
               order by hour desc limit 1
             ) as before,
             exists (
               select from usage_hours where account_id = $1 and stored_bytes is not null
             ) as changed,
             used."storedBytes" as now
           from (${usedSql}) used`,
          [accountId, from],
        ),
      ])
      if (stored === undefined) throw new Error('the query returned no row')
      const { before, changed, now } = stored
      return { hours, storedBytesBefore: changed ? before : now, storedBytesNow: now }
    },

    /**
     * Locks nothing. Bytes are those of the quota: of commands and of stored files; commands are counted at their
     * end. Reads the hours of a month of each account.
     */
    readUsageByAccount({ month, accountId }) {
      return query<AccountUsage>('read_usage_by_account', usageByAccountSql, [month, accountId])
    },

    /** Locks nothing; reads the hours of all accounts that failed in them. */
    async countErrors({ hours }) {
      const [row] = await query<{ errors: Record<string, number> }>(
        'count_errors',
        `select coalesce(jsonb_object_agg(error, number), '{}') as errors from (
           select error, sum(number)::bigint as number from (
             select e.key as error, e.value::bigint as number
             from usage_hours h, jsonb_each_text(h.errors) e
             where h.hour > now() - make_interval(hours => $1)
             union all
             select error_status, 1 from usage_ends
             where error_status <> 'CANCELLED' and ended_at > now() - make_interval(hours => $1)
           ) counted group by error
         ) by_error`,
        [hours],
      )
      return row?.errors ?? {}
    },

    /**
     * Locks hours in the order of accounts, as each fold does. Admission records what it raises; this
     * records the vCPUs of commands that run into the next hour.
     */
    async recordVcpuPeaks() {
      await query(
        'record_vcpu_peaks',
        `insert into usage_hours as h (account_id, hour, peak_vcpus)
         select account_id, date_trunc('hour', now(), 'UTC'), sum(vcpu_count)::integer
         from commands
         where admitted_at is not null and released_at is null
         group by account_id having sum(vcpu_count) > 0 order by account_id
         on conflict (account_id, hour) do update set peak_vcpus = excluded.peak_vcpus
         where h.peak_vcpus < excluded.peak_vcpus`,
      )
    },
  }
}

const ends = 'succeeded, failed, cancelled, vcpu_seconds'
/** $1 begins the month. */
const isWithin = (time: string): string =>
  `${time} >= $1::timestamptz and
    ${time} < ($1::timestamptz at time zone 'UTC' + interval '1 month') at time zone 'UTC'`

const usageByAccountSql = `
  select a.account_id as "accountId", a.name, a.plan, ends.succeeded, ends.failed, ends.cancelled,
    ends.vcpu_seconds as "vcpuSeconds", bytes.processed as "processingBytes",
    bytes.stored as "storedBytes"
  from accounts a
  cross join lateral (
    select coalesce(sum(succeeded), 0)::bigint as succeeded, coalesce(sum(failed), 0)::bigint as failed,
      coalesce(sum(cancelled), 0)::bigint as cancelled, coalesce(sum(vcpu_seconds), 0) as vcpu_seconds
    from (
      select ${ends} from usage_hours where account_id = a.account_id and ${isWithin('hour')}
      union all
      select ${ends} from (${hoursOf(
        `(select * from usage_ends where account_id = a.account_id and ${isWithin('ended_at')}) of_month`,
      )}) unfolded
    ) hours
  ) ends
  cross join lateral (
    select coalesce(sum(bytes) filter (where month = ($1::timestamptz at time zone 'UTC')::date), 0)::bigint as processed,
      coalesce(sum(bytes) filter (where month is null), 0)::bigint as stored
    from (
      select month, bytes from usage_totals where account_id = a.account_id
      union all
      select month, bytes from usage_changes where account_id = a.account_id
    ) counted
  ) bytes
  where $2::uuid is null or a.account_id = $2
  order by a.name`
