import type { DispatchFailure, FailedDispatch } from '../../store/dispatch.ts'
import { storableText } from '../storable-text.ts'
import type { Query } from '../query.ts'

/**
 * Locks the row. Ends the lease, so that the row is free when its backoff ends. The counters stop at
 * 10,000: a `smallint` that overflows would refuse the statement for ever.
 */
export async function recordDispatchFailure(
  query: Query,
  { commandId, tries, definite, error, retrySeconds }: DispatchFailure,
): Promise<FailedDispatch | null> {
  const [failed] = await query<FailedDispatch>(
    'record_dispatch_failure',
    `update commands set
       dispatch_leased_until = null,
       dispatch_tries = least(dispatch_tries, 9999) + 1,
       dispatch_definite = least(dispatch_definite, 9999) + $3::boolean::integer,
       dispatch_retry_at = now() + make_interval(secs => $4),
       dispatch_error_since =
         case when $3 then coalesce(dispatch_error_since, now()) else dispatch_error_since end,
       dispatch_error = left($5, 200)
     where command_id = $1 and dispatch_tries = $2
       and dispatched_at is null and finished_at is null
     returning dispatch_definite as definite,
       coalesce(extract(epoch from now() - dispatch_error_since), 0)::double precision
         as "errorSeconds"`,
    [commandId, tries, definite, retrySeconds, storableText(error)],
  )
  return failed ?? null
}
