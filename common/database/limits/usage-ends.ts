import type { Query } from '../connection/query.ts'

/** Sums of rows of `usage_ends` by account and hour. */
export function hoursOf(ends: string): string {
  return `select account_id, date_trunc('hour', ended_at, 'UTC') as hour,
      count(*) filter (where error_status is null)::integer as succeeded,
      count(*) filter (where error_status <> 'CANCELLED')::integer as failed,
      count(*) filter (where error_status = 'CANCELLED')::integer as cancelled,
      count_each(array_agg(error_status) filter (where error_status <> 'CANCELLED')) as errors,
      sum(processing_bytes)::bigint as processing_bytes,
      sum(vcpu_seconds) as vcpu_seconds, sum(ffmpeg_seconds) as ffmpeg_seconds,
      count_each(array_agg(wait_class(wait_seconds)) filter (where wait_seconds is not null))
        as waits
    from ${ends} group by account_id, hour`
}

/** Columns that two rows of an hour have to be added up in. */
export const sums = `succeeded, failed, cancelled, errors, processing_bytes, vcpu_seconds, ffmpeg_seconds, waits`

/**
 * Locks the ends it adds up, skips those that another replica has locked, and locks the hours in the
 * order of accounts. An account may have been deleted by an older program, which leaves its ends.
 */
export async function foldEnds(query: Query, limit: number): Promise<number> {
  const [row] = await query<{ folded: number }>(
    'fold_usage_ends',
    `with folded as (
       delete from usage_ends where end_id in (
         select end_id from usage_ends order by end_id limit $1 for update skip locked
       ) returning account_id, ended_at, error_status, processing_bytes, vcpu_seconds,
         ffmpeg_seconds, wait_seconds
     ), added as (
       insert into usage_hours as h (account_id, hour, ${sums})
       select account_id, hour, ${sums} from (${hoursOf('folded')}) hours
       join accounts using (account_id) order by account_id, hour
       on conflict (account_id, hour) do update set
         succeeded = h.succeeded + excluded.succeeded,
         failed = h.failed + excluded.failed,
         cancelled = h.cancelled + excluded.cancelled,
         errors = add_counts(h.errors, excluded.errors),
         processing_bytes = h.processing_bytes + excluded.processing_bytes,
         vcpu_seconds = h.vcpu_seconds + excluded.vcpu_seconds,
         ffmpeg_seconds = h.ffmpeg_seconds + excluded.ffmpeg_seconds,
         waits = add_counts(h.waits, excluded.waits)
     )
     select count(*)::integer as folded from folded`,
    [limit],
  )
  return row?.folded ?? 0
}
