import { planOf } from '../../common/domain/plans.ts'
import { endpoint } from '../http/endpoint.ts'
import { mbytes, timestamp } from '../http/format.ts'
import type { Plan, Plans } from '../../common/domain/plans.ts'
import type { Pause } from '../../common/store/administration/pauses.ts'
import type { PauseWatch } from '../limits/pause-watch.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { Activity, Usage } from '../../common/store/limits.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { AccountUsage } from '../../common/openapi/openapi-types.ts'

interface Deps {
  readonly store: Pick<Store, 'readUsage' | 'readActivity' | 'tokensLeft'>
  readonly plans: Plans
  readonly pauses: Pick<PauseWatch, 'current'>
}

/** `GET /v1/usage`: the account's usage and the limits of its plan. */
export function getUsage({ store, plans, pauses }: Deps): Endpoint {
  return endpoint('getUsage', async (_call, { key: { account } }) => {
    const plan = planOf(plans, account)
    const [usage, activity, left] = await Promise.all([
      store.readUsage(account.accountId),
      store.readActivity(account.accountId),
      submissionsLeft(store, account, plan),
    ])
    const body: AccountUsage = {
      ...usageRecord(account, plan, { usage, activity, left }),
      pauses: pausesOf(account, pauses.current()),
    }
    return { status: 200, body }
  })
}

/** Pauses that the account meets: not those of the queues of others. */
function pausesOf({ accountId }: Account, pauses: readonly Pause[]) {
  return pauses
    .filter((pause) => pause.accountId === null || pause.accountId === accountId)
    .map(({ what, why, pausedAt }) => ({ what, why, paused_at: timestamp(pausedAt) }))
}

async function submissionsLeft(
  store: Deps['store'],
  { accountId }: Account,
  { submissionsPerMinute: perMinute }: Plan,
): Promise<number | null> {
  return perMinute === null
    ? null
    : store.tokensLeft({ accountId, group: 'submissions', perMinute })
}

function usageRecord(
  account: Account,
  plan: Plan,
  { usage, activity, left }: { usage: Usage; activity: Activity; left: number | null },
): AccountUsage {
  const { queued, running, vcpuInUse } = activity
  return {
    account_id: account.accountId,
    account: account.name,
    plan: account.plan,
    period_start: timestamp(usage.monthStart),
    period_end: timestamp(usage.monthEnd),
    processing: {
      used_mbytes: mbytes(usage.processingBytes),
      reserved_mbytes: mbytes(usage.reservedBytes),
      limit_mbytes: plan.processingMbytes,
    },
    storage: {
      used_mbytes: mbytes(usage.storedBytes),
      reserved_mbytes: mbytes(usage.reservedOutputBytes),
      limit_mbytes: plan.storageMbytes,
    },
    vcpu: { in_use: vcpuInUse, limit: plan.vcpuTotal, per_command: plan.vcpuPerCommand },
    commands: { queued, running },
    queue: { queued, limit: plan.maxQueued },
    rate: { submissions_per_minute: plan.submissionsPerMinute, submissions_left: left },
    limits: {
      max_command_run_seconds: plan.maxRunSeconds,
      max_file_mbytes: plan.maxFileMbytes,
    },
    features: {
      chained: plan.chained,
      uploads: plan.uploads,
      private: plan.private,
      webhooks: plan.webhooks,
    },
    default_output_ttl_seconds: account.defaultOutputTtlSeconds,
  }
}
