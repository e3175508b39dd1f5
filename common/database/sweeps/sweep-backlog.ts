import { sweepBackoffSeconds } from '../../store/attempts.ts'
import type { SweepBacklog } from '../../store/health.ts'
import type { Query } from '../connection/query.ts'

/**
 * Assignments of an UPDATE after a sweep that failed: the next try is 30 s later, doubled with each
 * failure up to 6 hours.
 */
export const postponed = `
  sweep_tries = least(sweep_tries + 1, 1000),
  sweep_retry_at = now() + make_interval(secs => least(
    ${sweepBackoffSeconds.longest}, ${sweepBackoffSeconds.first} * power(2, least(sweep_tries, 10))))`

/** Rows are counted up to this number, so that the figure of a long backlog stays cheap. */
const countedRows = 10_000

/**
 * Locks nothing.
 * @param source.fresh the rest of a SELECT of rows that are due and have never failed: `… as due_at
 *   from … where …`, with the time of the first try; `failing` is the same of rows that have failed
 */
export async function sweepBacklog(
  query: Query,
  source: { readonly name: string; readonly fresh: string; readonly failing: string },
  values: readonly unknown[],
): Promise<SweepBacklog> {
  const [row] = await query<SweepBacklog>(
    source.name,
    `select (count(*) filter (where not failed))::integer as due,
       (count(*) filter (where failed))::integer as failing,
       coalesce(extract(epoch from now() - min(due_at)), 0)::double precision as "oldestSeconds"
     from (
       (select false as failed, ${source.fresh} limit ${countedRows})
       union all
       (select true as failed, ${source.failing} limit ${countedRows})
     ) rows`,
    values,
  )
  if (row === undefined) throw new Error('an aggregate returned no row')
  return row
}
