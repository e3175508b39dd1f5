import { startSeconds } from '../../store/admission.ts'
import type {
  AccountInPass,
  AdmissionStore,
  AdmittedCommand,
  Submission,
} from '../../store/admission.ts'
import type { Database } from '../connection/query.ts'

interface FoundCommand extends Pick<
  AccountInPass,
  | 'accountId'
  | 'name'
  | 'plan'
  | 'limits'
  | 'usedVcpuSeconds'
  | 'reason'
  | 'rateVcpus'
  | 'pausedWhy'
> {
  readonly commandId: string
  readonly vcpuCount: number
  /** Since it holds its vCPUs, or else since it was submitted. */
  readonly seconds: number
  /** null: it runs. */
  readonly queuedSeconds: number | null
  readonly isEnding: boolean
  readonly isStarting: boolean
  readonly jobGeneration: number
  readonly isNew: boolean
}

/** Excludes rows without a custom resource, which wait for the live-resource limit. */
const isWaiting = 'c.dispatched_at is not null and c.admitted_at is null and c.finished_at is null'

/**
 * Reads O(accounts with waiting commands + Jobs) rows, independent of the size of the table: accounts by a
 * skip scan with one probe of the index each, then the head of each account's lanes. The columns of an
 * account are read once and by its key, for which the subqueries with a limit are: a join would scan
 * the whole table of accounts.
 */
export const findWaitingSql = `with recursive accounts_waiting as (
  (select c.account_id from commands c where ${isWaiting} order by c.account_id limit 1)
  union all
  select (
    select c.account_id from commands c where ${isWaiting} and c.account_id > w.account_id
    order by c.account_id limit 1
  ) from accounts_waiting w where w.account_id is not null
), found as materialized (
  select w.account_id, h.* from accounts_waiting w
  cross join (values (false), (true)) lane (is_file)
  cross join lateral (
    select c.command_id, c.vcpu_count,
      extract(epoch from now() - c.created_at)::double precision as seconds,
      extract(epoch from now() - coalesce(c.queue_key, c.created_at))::double precision as queued,
      false as is_ending, false as is_starting, round, false as is_new
    from commands c
    where c.account_id = w.account_id and (c.vcpu_count = 0) = lane.is_file and ${isWaiting}
      and not c.cancel_requested
    order by coalesce(c.queue_key, c.created_at), c.command_id limit $1
  ) h
  where w.account_id is not null
  union all
  select account_id, command_id, vcpu_count,
    extract(epoch from now() - admitted_at)::double precision, null, finished_at is not null,
    coalesce(finished_at is null and attempt is null
      and round_began_at > now() - make_interval(secs => ${startSeconds}), false),
    round, attempts = 0 and lost_attempts = '{}'
  from commands where admitted_at is not null and released_at is null
), of as materialized (
  select a.account_id, a.name, a.plan, a.limits, coalesce(s.used_vcpu_seconds, 0) as used, s.reason,
    s.rate_vcpus, (
      select p.why from pauses p where p.what = 'admission' or p.account_id = f.account_id
      order by p.account_id is null limit 1
    ) as paused_why
  from (select distinct account_id from found) f
  cross join lateral (
    select account_id, name, plan, limits from accounts where account_id = f.account_id limit 1
  ) a
  left join lateral (
    select used_vcpu_seconds, reason, rate_vcpus from account_shares where account_id = f.account_id limit 1
  ) s on true
)
select f.account_id as "accountId", of.name, of.plan, of.limits, of.used as "usedVcpuSeconds", of.reason,
  of.rate_vcpus as "rateVcpus", of.paused_why as "pausedWhy",
  f.command_id as "commandId", f.vcpu_count as "vcpuCount", f.seconds, f.queued as "queuedSeconds",
  f.is_ending as "isEnding", f.is_starting as "isStarting", f.round as "jobGeneration", f.is_new as "isNew"
from found f join of using (account_id)
order by f.queued desc, f.command_id`

const newerThan = (column: string): string => `${column} > now() - make_interval(secs => $1)`

/** Reads a few rows of each account, and those of the time: work on files is found by its end, or while it runs. */
export const findSubmissionsSql = `
select a.account_id as "accountId", c.vcpu_count as "vcpuCount",
  extract(epoch from now() - max(c.created_at))::double precision as "secondsAgo"
from accounts a cross join lateral (
  select vcpu_count, created_at, dispatched_at from commands
  where account_id = a.account_id and command_type <> 'STORED_FILE' and ${newerThan('created_at')}
  union all
  select vcpu_count, created_at, dispatched_at from commands
  where account_id = a.account_id and command_type = 'STORED_FILE' and ${newerThan('finished_at')}
  union all
  select vcpu_count, created_at, dispatched_at from commands
  where account_id = a.account_id and command_type = 'STORED_FILE'
    and dispatched_at is not null and finished_at is null
) c
where c.dispatched_at is not null and ${newerThan('c.created_at')}
group by a.account_id, c.vcpu_count`

export function findWaiting({
  query,
}: Database): Pick<AdmissionStore, 'findWaiting' | 'findSubmissions'> {
  return {
    /** Locks nothing: the choice made from it is checked again by `admit`. */
    async findWaiting({ heads }) {
      return byAccount(await query<FoundCommand>('find_waiting', findWaitingSql, [heads]))
    },

    /** Locks nothing. */
    findSubmissions: ({ withinSeconds }) =>
      query<Submission>('find_submissions', findSubmissionsSql, [withinSeconds]),
  }
}

function byAccount(found: readonly FoundCommand[]): AccountInPass<AdmittedCommand>[] {
  return [...Map.groupBy(found, ({ accountId }) => accountId).values()].flatMap((commands) => {
    const [first] = commands
    if (first === undefined) return []
    const { accountId, name, plan, limits, usedVcpuSeconds, reason, rateVcpus, pausedWhy } = first
    return {
      accountId,
      name,
      plan,
      limits,
      usedVcpuSeconds,
      reason,
      rateVcpus,
      pausedWhy,
      waiting: commands.flatMap(({ commandId, vcpuCount, seconds, queuedSeconds }) =>
        queuedSeconds === null
          ? []
          : { commandId, vcpuCount, waitedSeconds: seconds, queuedSeconds },
      ),
      running: commands.flatMap(({ queuedSeconds, seconds, ...command }) => {
        if (queuedSeconds !== null) return []
        const { commandId, vcpuCount, isEnding, isStarting, jobGeneration, isNew } = command
        const facts = { commandId, vcpuCount, isEnding, isStarting, jobGeneration, isNew }
        return { ...facts, runningSeconds: seconds }
      }),
    }
  })
}
