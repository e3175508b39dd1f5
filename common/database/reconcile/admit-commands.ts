import type { Admission } from '../../store/reconcile.ts'
import { chooseAdmitted } from './choose-admitted.ts'
import type { WaitingCommand } from './choose-admitted.ts'
import type { Database } from '../query.ts'

/**
 * Locks the account's row, so that two admissions of one account follow each other and the second
 * sees the first one's rows: usage is summed, never counted in memory. NO KEY UPDATE, because a
 * stronger lock would hold up every submission of the account (foreign key). The limit of live Jobs
 * spans accounts and is not locked: it protects the cluster, not a promise.
 */
export function admitCommands(
  database: Database,
  admission: {
    accountId: string
    vcpuLimit: number | null
    passSeconds: number
    liveJobLimit: number
  },
): Promise<Admission> {
  return database.transaction(async (query) => {
    await query(
      'admit_lock_account',
      'select from accounts where account_id = $1 for no key update',
      [admission.accountId],
    )
    const [used] = await query<{ vcpuInUse: number; liveJobs: number }>(
      'admit_usage',
      `select coalesce(sum(vcpu_count) filter (where account_id = $1), 0) as "vcpuInUse",
         count(*) as "liveJobs"
       from commands where admitted_at is not null and released_at is null`,
      [admission.accountId],
    )
    const { vcpuInUse = 0, liveJobs = 0 } = used ?? {}
    const waiting = await query<WaitingCommand>(
      'admit_waiting',
      `select command_id as "commandId", vcpu_count as "vcpuCount",
         extract(epoch from now() - created_at)::double precision as "waitedSeconds"
       from commands
       where account_id = $1 and admitted_at is null and finished_at is null
         and dispatched_at is not null and not cancel_requested
       order by created_at, command_id`,
      [admission.accountId],
    )
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
}
