import { submissionColumns } from '../commands/command-columns.ts'
import { isPaused } from '../pauses/paused.ts'
import { storableText } from '../connection/values.ts'
import type { DispatchStore, FailedDispatch, UndispatchedCommand } from '../../store/dispatch.ts'
import type { ReconcileStore } from '../../store/reconcile.ts'
import type { Database } from '../connection/query.ts'

const isUndispatched = 'dispatched_at is null and finished_at is null'
/** No dispatcher works on the row. */
const isFree = (row: string): string =>
  `(${row}.dispatch_leased_until is null or ${row}.dispatch_leased_until <= now())`

type Claimed = Omit<UndispatchedCommand, 'dispatchKey'> & { readonly dispatchKey: string | null }

/** Claims of rows whose custom resource does not exist yet. */
export function dispatch({ query }: Database): DispatchStore & Pick<ReconcileStore, 'undispatch'> {
  /** Makes the row at its first use. A UUID has 122 random bits of the server's strong source. */
  async function readDispatchKey(): Promise<string> {
    const [row] = await query<{ key: string }>(
      'read_dispatch_key',
      `with made as (
         insert into dispatch_key (key)
         select gen_random_uuid()::text || gen_random_uuid()::text
         where not exists (select from dispatch_key)
         on conflict do nothing returning key
       )
       select key from made union all select key from dispatch_key limit 1`,
    )
    // Another server has made it at the same moment, and this statement cannot see it yet.
    return row?.key ?? readDispatchKey()
  }

  return {
    readDispatchKey,

    /**
     * Locks the rows it leases and skips those that another replica is leasing (SKIP LOCKED: 61,800
     * rows/s at 100 a statement, 2,202 one by one). The lease outlives the transaction and expires, so
     * the rows of a crashed dispatcher are free again soon. Rows that are leased but not created yet do
     * not count as alive: the limits are exceeded at most by the rows that other replicas have in
     * flight. An account with more live rows comes after one with fewer: of 1,000 accounts that submit at
     * once, none gets its second command before all have their first. Reads an index entry per account
     * with undispatched rows (a skip scan), per live row, and per row that it returns or that backs off:
     * never the backlog. The arrays keep the planner, which does not know the limits, from joining with a
     * scan of the table.
     */
    async claimUndispatched(claim) {
      const claimed = await query<Claimed>(
        'claim_undispatched',
        `with recursive working as (
           (select account_id from commands where ${isUndispatched} order by account_id limit 1)
           union all
           select (
             select account_id from commands
             where ${isUndispatched} and account_id > w.account_id
             order by account_id limit 1
           )
           from working w where w.account_id is not null
         ), accounts_at_work as (
           select account_id, count(*) over () as accounts from working w
           where account_id is not null and not ${isPaused('dispatch', 'w.account_id')}
         ), live as (
           select account_id, vcpu_count = 0 as is_file, count(*) as n,
             count(*) filter (where admitted_at is null) as waiting
           from commands where dispatched_at is not null and finished_at is null
           group by 1, 2
         ), heads as (
           select w.account_id, h.command_id, h.place + coalesce(n.n, 0) as place
           from accounts_at_work w
           cross join (values (false), (true)) lane (is_file)
           left join live n on n.account_id = w.account_id and n.is_file = lane.is_file
           cross join lateral (
             select command_id, row_number() over () as place from (
               select command_id from commands c
               where c.account_id = w.account_id and (c.vcpu_count = 0) = lane.is_file
                 and ${isUndispatched} and ${isFree('c')}
                 and (c.dispatch_retry_at is null or ($5 and c.dispatch_retry_at <= now()))
               order by coalesce(c.queue_key, c.created_at), c.command_id
               limit greatest(0, least(
                 $3 - coalesce(n.waiting, 0), greatest(1, ceil(2.0 * $1 / w.accounts))::bigint
               ))
             ) c
           ) h
         ), chosen as (
           select h.command_id,
             row_number() over (
               order by h.place, floor(coalesce(s.used_vcpu_seconds, 0)), h.account_id, h.command_id
             ) as position
           from heads h left join account_shares s using (account_id)
           order by position
           limit greatest(0, least($1::bigint, $2 - coalesce((select sum(n) from live), 0)::bigint))
         ), locked as (
           select command_id from commands c
           where command_id = any (array(select command_id from chosen))
             and ${isUndispatched} and ${isFree('c')}
           for no key update skip locked
         ), leased as (
           update commands set dispatch_leased_until = now() + make_interval(secs => $4)
           where command_id = any (array(select command_id from locked))
           returning *
         )
         select ${submissionColumns}, a.name as "accountName", c.round as "jobGeneration",
           c.dispatch_tries as tries, (select key from dispatch_key) as "dispatchKey"
         from leased c join accounts a using (account_id) join chosen using (command_id)
         order by chosen.position`,
        [claim.limit, claim.liveLimit, claim.lookAhead, claim.leaseSeconds, claim.retries],
      )
      const key = claimed.some(({ dispatchKey }) => dispatchKey === null)
        ? await readDispatchKey()
        : ''
      return claimed.map((row) => ({ ...row, dispatchKey: row.dispatchKey ?? key }))
    },

    /**
     * Locks the row. Changes nothing if a resource is recorded already: a slow dispatcher must not
     * overwrite the UID of a resource that was created later.
     */
    async markDispatched(commandId, resourceUid) {
      await query(
        'mark_dispatched',
        `update commands set dispatched_at = now(), resource_uid = $2, resource_deleted_at = null,
           dispatch_leased_until = null, unmirrored_since = now()
         where command_id = $1 and dispatched_at is null`,
        [commandId, resourceUid],
      )
    },

    /**
     * Locks the row. Ends the lease, so that the row can be claimed when its backoff ends. The counters
     * stop at 10,000: after an overflow of the `smallint` every such statement would fail.
     */
    async recordDispatchFailure({ commandId, tries, definite, error, retrySeconds }) {
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
    },

    /**
     * Locks the row. The Job and pods of the resource were deleted with it, so a running attempt is
     * fenced and the next generation begins, which does not count as an attempt. Guarded by the UID: a
     * resource that was created meanwhile stays.
     */
    async undispatch(commandId, resourceUid) {
      await query(
        'undispatch',
        `with before as (
           select command_id, attempt from commands
           where command_id = $1 and resource_uid = $2 and finished_at is null for no key update
         ), undispatched as (
           update commands c set
             dispatched_at = null, resource_uid = null, dispatch_leased_until = null,
             dispatch_tries = 0, dispatch_definite = 0, dispatch_retry_at = null,
             dispatch_error_since = null, dispatch_error = null,
             mirrored_version = 0, unmirrored_since = null,
             round = case when round > 0 then round + 1 else 0 end,
             round_began_at = case when round > 0 then now() end,
             lost_attempts = case when c.attempt is null then lost_attempts
               else lost_attempts || c.attempt end,
             attempt = null, version = version + 1
           from before where c.command_id = before.command_id
         )
         update attempts a
         set lost_at = now(), reason = 'ResourceVanished', sweep_from = coalesce(sweep_from, now())
         from before where a.command_id = before.command_id and a.attempt = before.attempt`,
        [commandId, resourceUid],
      )
    },
  }
}
