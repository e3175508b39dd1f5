import { createEachItem } from '../../common/runtime/each-item.ts'
import { planOf } from '../../common/domain/plans.ts'
import { effect } from '../apply/apply-context.ts'
import { createAccountBackoff } from '../admission/account-backoff.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'
import type { ControllerMetrics } from '../apply/controller-metrics.ts'
import type { Term } from '../machinery/election/leader.ts'
import type { Reason, WaitReason } from '../status/reason.ts'

export interface Admission {
  /** One round over all accounts with waiting commands, the one waiting longest first. */
  admitWaiting(signal: AbortSignal): Promise<void>
  /** Why the account's commands wait, as the last round left it; null before the first. */
  reason(accountId: string, vcpuCount: number): Reason | null
}

export interface AdmissionDeps {
  readonly store: Pick<Store, 'accountsWaiting' | 'admit'>
  readonly plans: Plans
  readonly settings: AdmissionSettings
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: Pick<ControllerMetrics, 'admitted'>
  /** Called with the ids that were admitted. */
  readonly onAdmitted: (commandIds: readonly string[]) => void
}

export interface AdmissionSettings {
  readonly liveJobs: number
  /** A smaller command may pass a larger one until the larger has waited this long. */
  readonly passSeconds: number
}

const accountsPerRound = 1000
/** The database has just returned the accounts, so it is at fault only if several of them fail. */
const mostFailuresInARow = 5

/**
 * Usage is derived from the rows inside one transaction under the account's lock: nothing is counted
 * here, so nothing can leak or be counted twice. An account whose admission fails is left out of the
 * rounds for a while and holds up no other account.
 */
export function createAdmission(deps: AdmissionDeps): Admission {
  const views = new Map<string, { vcpuInUse: number; vcpuLimit: number | null }>()
  const backoff = createAccountBackoff(deps.effects)
  const eachAccount = createEachItem({
    name: 'admission',
    clock: deps.effects.clock,
    logger: deps.logger,
  })
  return {
    async admitWaiting(signal) {
      // Failing accounts may be the ones that have waited longest, and must not fill the round.
      const limit = accountsPerRound + backoff.size()
      const accounts = await deps.store.accountsWaiting(limit)
      forgetOthers(accounts)
      await eachAccount.run(
        accounts.filter(({ accountId }) => backoff.isDue(accountId)),
        {
          work: admitAccount,
          postpone: ({ accountId }) => backoff.failed(accountId),
          describe: ({ name }) => ({ account: name }),
          giveUpAfter: mostFailuresInARow,
          signal,
        },
      )
    },
    reason(accountId, vcpuCount) {
      const view = views.get(accountId)
      return view === undefined ? null : waitingReason(view, vcpuCount)
    },
  }

  async function admitAccount({ accountId, plan }: Account): Promise<void> {
    const vcpuLimit = planOf(deps.plans, plan).vcpuTotal
    const { admitted, vcpuInUse } = await effect(deps, 'operator.admitted', () =>
      deps.store.admit({
        accountId,
        vcpuLimit,
        passSeconds: deps.settings.passSeconds,
        liveJobLimit: deps.settings.liveJobs,
      }),
    )
    backoff.succeeded(accountId)
    views.set(accountId, { vcpuInUse, vcpuLimit })
    if (admitted.length === 0) return
    deps.metrics.admitted(admitted.length)
    deps.onAdmitted(admitted)
  }

  function forgetOthers(accounts: readonly Account[]): void {
    const waiting = new Set(accounts.map(({ accountId }) => accountId))
    for (const accountId of views.keys()) {
      if (!waiting.has(accountId)) views.delete(accountId)
    }
    backoff.keepOnly(waiting)
  }
}

/** Why a command waits: for vCPUs of its account, or for room in the whole installation. */
export function waitingReason(
  { vcpuInUse, vcpuLimit }: { readonly vcpuInUse: number; readonly vcpuLimit: number | null },
  vcpuCount: number,
): WaitReason {
  if (vcpuLimit !== null && vcpuInUse + vcpuCount > vcpuLimit) {
    return {
      reason: 'WaitingForQuota',
      message: `Needs ${vcpuCount} vCPUs; the account uses ${vcpuInUse} of its ${vcpuLimit}`,
    }
  }
  return {
    reason: 'WaitingForCapacity',
    message: 'Waits for its turn: larger commands before it, or as many Jobs as may run at a time',
  }
}
