import type { Effects } from '../../common/effects.ts'
import { planOf } from '../../common/plans.ts'
import type { Plans } from '../../common/plans.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'
import { effect } from '../apply-deps.ts'
import type { ControllerMetrics } from '../controller-metrics.ts'
import type { Term } from '../machinery/leader.ts'
import type { Reason } from '../status/reason.ts'
import { waitingReason } from './waiting-reason.ts'

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

/**
 * Usage is derived from the rows inside one transaction under the account's lock: nothing is counted
 * here, so nothing can leak or be counted twice.
 */
export function createAdmission(deps: AdmissionDeps): Admission {
  const views = new Map<string, { vcpuInUse: number; vcpuLimit: number | null }>()
  return {
    async admitWaiting(signal) {
      const accounts = await deps.store.accountsWaiting(accountsPerRound)
      forgetOthers(accounts)
      for (const account of accounts) {
        if (signal.aborted) return
        await admitAccount(account)
      }
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
  }
}
