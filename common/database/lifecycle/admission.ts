import { accountColumns } from '../accounts/accounts.ts'
import { chooseAdmitted } from './choose-admitted.ts'
import type { Account } from '../../store/accounts.ts'
import type { ReconcileStore } from '../../store/reconcile.ts'
import type { Database } from '../connection/query.ts'
import type { WaitingCommand } from './choose-admitted.ts'

interface Usage {
  /** vCPUs that the account's admitted commands hold. */
  readonly vcpuInUse: number
  /** Live Jobs of all accounts. */
  readonly liveJobs: number
}

/** Admission of waiting commands to the vCPUs of their account. */
export function admission(database: Database): Pick<ReconcileStore, 'accountsWaiting' | 'admit'> {
  const { query } = database
  return {
    /** Locks nothing. Excludes rows without a custom resource, which wait for the live-resource limit. */
    accountsWaiting(limit) {
      return query<Account>(
        'accounts_waiting',
        `select ${accountColumns}
         from commands c join accounts a using (account_id)
         where c.admitted_at is null and c.finished_at is null
           and c.dispatched_at is not null and not c.cancel_requested
         group by a.account_id
         order by min(c.created_at), a.account_id limit $1`,
        [limit],
      )
    },

    /**
     * Locks the account's row, so that admissions of one account serialize and the second one sees the
     * rows of the first: usage is summed, never counted in memory. NO KEY UPDATE, because a stronger
     * lock would block every submission of the account (foreign key). The limit of live Jobs spans
     * accounts and is not locked: it protects the cluster and may be exceeded briefly.
     */
    admit(admission) {
      return database.transaction(async (query) => {
        await query(
          'admit_lock_account',
          'select from accounts where account_id = $1 for no key update',
          [admission.accountId],
        )
        const found = await query<Usage & (WaitingCommand | { commandId: null })>(
          'admit_waiting',
          `with used as (
             select coalesce(sum(vcpu_count) filter (where account_id = $1), 0) as vcpus,
               count(*) as jobs
             from commands where admitted_at is not null and released_at is null
           )
           select used.vcpus as "vcpuInUse", used.jobs as "liveJobs",
             c.command_id as "commandId", c.vcpu_count as "vcpuCount",
             extract(epoch from now() - c.created_at)::double precision as "waitedSeconds"
           from used left join commands c
             on c.account_id = $1 and c.admitted_at is null and c.finished_at is null
             and c.dispatched_at is not null and not c.cancel_requested
           order by c.created_at, c.command_id`,
          [admission.accountId],
        )
        const { vcpuInUse, liveJobs } = found[0] ?? { vcpuInUse: 0, liveJobs: 0 }
        const waiting = found.filter((row) => row.commandId !== null)
        const jobs = Math.max(0, admission.liveJobLimit - liveJobs)
        const chosen = chooseAdmitted(waiting, { ...admission, vcpuInUse, jobs })
        const admitted = await query<{ commandId: string; vcpuCount: number }>(
          'admit',
          // A command may have ended since it was read; the row's own lock decides.
          `update commands set admitted_at = now(), round = 1, round_began_at = now(),
             version = version + 1, unmirrored_since = coalesce(unmirrored_since, now())
           where command_id = any($1::uuid[]) and admitted_at is null and finished_at is null
             and not cancel_requested
           returning command_id as "commandId", vcpu_count as "vcpuCount"`,
          [chosen],
        )
        const ids = new Set(admitted.map((row) => row.commandId))
        return {
          admitted: chosen.filter((id) => ids.has(id)),
          waiting: waiting.length - ids.size,
          vcpuInUse: admitted.reduce((sum, row) => sum + row.vcpuCount, vcpuInUse),
        }
      })
    },
  }
}
