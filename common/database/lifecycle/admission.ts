import { chooseAdmitted } from './choose-admitted.ts'
import { isPaused } from '../pauses/paused.ts'
import { lockAdmission } from '../pauses/admission-lock.ts'
import { withWaitReason } from '../commands/timelines.ts'
import { usedSql } from '../limits/usage.ts'
import { commitOutcome } from './commit-outcome.ts'
import { withinQuota } from '../limits/within-quota.ts'
import type { AdmittedUse, ReservingCommand } from '../limits/within-quota.ts'
import { roomOf } from './admission-room.ts'
import type { RunningTotals } from './admission-room.ts'
import type { AdmissionStore, WaitingCommand } from '../../store/admission.ts'
import type { LifecycleObserver } from '../../store/lifecycle/observer.ts'
import type { Database, Query } from '../connection/query.ts'

const noQuota = { processingMbytes: null, storageMbytes: null }
const isLive = 'account_id = $1 and finished_at is null'

interface Totals extends RunningTotals, AdmittedUse {}

type FoundRow = Totals &
  ((WaitingCommand & { ownBytes: number; ownOutputBytes: number }) | { commandId: null })

/** Admission of chosen commands to the limits of their account and of the cluster. */
export function admission(
  database: Database,
  observer: LifecycleObserver,
): Pick<AdmissionStore, 'admit' | 'returnToQueue' | 'recordWaits'> {
  return {
    /**
     * Takes the lock of admission and then the account's row, so that all admissions serialize and each
     * sees the rows of those before it: usage is summed, never counted in memory, and two leaders
     * together exceed no limit. NO KEY UPDATE, because a stronger lock would block every submission of
     * the account (foreign key).
     *
     * Commands above a quota end after that, each by a statement of its own: a transaction that ends
     * several holds the count of their list while it waits for the row of the next one, and deadlocks
     * with a cancellation of that one.
     */
    async admit(request) {
      const { problem, toEnd, ...chosen } = await database.transaction(async (query) => {
        await lockAccount(query, request.accountId)
        const found = await query<FoundRow>(
          'admit_waiting',
          `with used as (
             select coalesce(sum(vcpu_count) filter (where account_id = $1), 0) as vcpus,
               count(*) filter (where account_id = $1 and vcpu_count > 0) as jobs,
               count(*) filter (where account_id = $1 and vcpu_count = 0) as file_jobs,
               coalesce(sum(greatest(vcpu_count, 1)), 0) as all_vcpus,
               count(*) filter (where vcpu_count > 0) as all_jobs,
               count(*) filter (where vcpu_count = 0) as all_file_jobs,
               coalesce(sum(reserved_bytes) filter (where ${isLive}), 0)::bigint as reserved,
               coalesce(sum(reserved_output_bytes) filter (where ${isLive}), 0)::bigint
                 as reserved_output,
               count(*) filter (where vcpu_count > 0 and ${isLive}) as live
             from commands where admitted_at is not null and released_at is null
           )
           select used.vcpus, used.jobs, used.file_jobs as "fileJobs", used.all_vcpus as "allVcpus",
             used.all_jobs as "allJobs", used.all_file_jobs as "allFileJobs", used.live,
             used.reserved as "reservedBytes", used.reserved_output as "reservedOutputBytes",
             u."storedBytes", u."processingBytes",
             c.reserved_bytes as "ownBytes", c.reserved_output_bytes as "ownOutputBytes",
             c.command_id as "commandId", c.vcpu_count as "vcpuCount",
             extract(epoch from now() - c.created_at)::double precision as "waitedSeconds"
           from used cross join (${usedSql}) u left join commands c
             on c.command_id = any($2::uuid[]) and c.account_id = $1
             and c.admitted_at is null and c.finished_at is null
             and c.dispatched_at is not null and not c.cancel_requested
             and not ${isPaused('admission', '$1')}
           order by coalesce(c.queue_key, c.created_at), c.command_id`,
          [request.accountId, request.commandIds],
        )
        const [totals] = found
        if (totals === undefined) throw new Error('an aggregate without GROUP BY returned no row')
        const waiting = found.filter((row) => row.commandId !== null)
        const fitting = chooseAdmitted(waiting, roomOf(request, totals))
        const quota = withinQuota(
          fitting.flatMap((id) =>
            waiting.filter(({ commandId }) => commandId === id).map(reserving),
          ),
          totals,
          request.quota ?? noQuota,
        )
        const starting = quota.started
        const admitted = await query<{ commandId: string; vcpuCount: number }>(
          'admit',
          // A command may have ended since it was read; the row's own lock decides.
          `with admitted as (
             update commands set admitted_at = now(), round = returned_round + 1, round_began_at = now(),
               timeline = ${withWaitReason},
               version = version + 1, unmirrored_since = coalesce(unmirrored_since, now())
             where command_id = any($1::uuid[]) and admitted_at is null and finished_at is null
               and not cancel_requested
             returning command_id, vcpu_count
           ), peak as (
             insert into usage_hours as h (account_id, hour, peak_vcpus)
             select $2::uuid, date_trunc('hour', now(), 'UTC'), $3::integer + sum(vcpu_count)
             from admitted having sum(vcpu_count) > 0
             on conflict (account_id, hour) do update set peak_vcpus = excluded.peak_vcpus
             where h.peak_vcpus < excluded.peak_vcpus
           )
           select command_id as "commandId", vcpu_count as "vcpuCount" from admitted`,
          [starting, request.accountId, totals.vcpus],
        )
        const ids = new Set(admitted.map((row) => row.commandId))
        return {
          admitted: starting.filter((id) => ids.has(id)),
          waiting: waiting.length - ids.size - quota.ended.length,
          vcpuInUse: admitted.reduce((sum, row) => sum + row.vcpuCount, totals.vcpus),
          ...(quota.wait === null ? {} : { quotaWait: quota.wait }),
          problem: quota.problem ?? '',
          toEnd: quota.ended,
        }
      })
      const ended = await endForQuota(database.query, toEnd, problem, observer)
      return ended.length === 0 ? chosen : { ...chosen, ended }
    },

    /** Locks the row, not the account: it only frees vCPUs, as a release does. */
    async returnToQueue({ commandId, jobGeneration }) {
      const returned = await database.query(
        'return_to_queue',
        `update commands set admitted_at = null, round = 0, returned_round = round, round_began_at = null,
           start_wait = null, version = version + 1, unmirrored_since = coalesce(unmirrored_since, now())
         where command_id = $1 and round = $2 and admitted_at is not null and finished_at is null
           and attempts = 0 and lost_attempts = '{}' and not cancel_requested
         returning command_id`,
        [commandId, jobGeneration],
      )
      return returned.length > 0
    },

    /** Locks the shares that change, in the order of their ids: two leaders cannot deadlock. */
    async recordWaits(waits) {
      await database.query(
        'record_waits',
        `insert into account_shares as shares (account_id, reason, rate_vcpus)
         select account_id, waits.reason, waits.rate_vcpus
         from unnest($1::uuid[], $2::text[], $3::real[]) waits (account_id, reason, rate_vcpus)
         join accounts using (account_id) order by account_id
         on conflict (account_id) do update set
           reason = excluded.reason, rate_vcpus = excluded.rate_vcpus, updated_at = now()
         where (shares.reason, shares.rate_vcpus)
           is distinct from (excluded.reason, excluded.rate_vcpus)`,
        [
          waits.map(({ accountId }) => accountId),
          waits.map(({ reason }) => reason),
          waits.map(({ rateVcpus }) => rateVcpus),
        ],
      )
    },
  }
}

/** The generation guards against another leader that has admitted the command since. */
async function endForQuota(
  query: Query,
  commandIds: readonly string[],
  errorMessage: string,
  observer: LifecycleObserver,
): Promise<string[]> {
  const outcome = { status: 'FAILED', errorStatus: 'QUOTA_EXCEEDED', errorMessage } as const
  const silent = { attempt: null, jobGeneration: 0, steps: null, usage: null, logs: [] }
  const ended: string[] = []
  for (const commandId of commandIds) {
    const committed = await commitOutcome(query, { commandId, outcome, ...silent }, observer)
    if (committed.kind === 'committed') ended.push(commandId)
  }
  return ended
}

async function lockAccount(query: Query, accountId: string): Promise<void> {
  await lockAdmission(query)
  await query(
    'admit_lock_account',
    'select from accounts where account_id = $1 for no key update',
    [accountId],
  )
}

function reserving(row: Exclude<FoundRow, { commandId: null }>): ReservingCommand {
  const { commandId, vcpuCount, ownBytes: reservedBytes, ownOutputBytes: reservedOutputBytes } = row
  return { commandId, vcpuCount, reservedBytes, reservedOutputBytes }
}
