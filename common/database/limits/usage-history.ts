import { hoursOf, sums } from './usage-ends.ts'
import { usedSql } from './usage.ts'
import type { LimitStore, UsageHour } from '../../store/limits.ts'
import type { Database } from '../connection/query.ts'

/** Figures of the hours of an account, from the ends of its commands. */
export function usageHistory({
  query,
}: Database): Pick<LimitStore, 'readUsageHistory' | 'recordVcpuPeaks'> {
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
     * Locks hours in the order of accounts, as each fold does. Admission records what it raises; this
     * records the vCPUs of commands that run into the next hour.
     */
    async recordVcpuPeaks() {
      await query(
        'record_vcpu_peaks',
        `insert into usage_hours as h (account_id, hour, peak_vcpus)
         select account_id, date_trunc('hour', now(), 'UTC'), sum(vcpu_count)::integer
         from commands
         where admitted_at is not null and released_at is null and suspended_at is null
         group by account_id having sum(vcpu_count) > 0 order by account_id
         on conflict (account_id, hour) do update set peak_vcpus = excluded.peak_vcpus
         where h.peak_vcpus < excluded.peak_vcpus`,
      )
    },
  }
}
