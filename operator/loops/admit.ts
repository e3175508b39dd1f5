import { createEachItem } from '../../common/runtime/each-item.ts'
import { largestVcpus, planOf } from '../../common/domain/plans.ts'
import { effect } from '../apply/apply-context.ts'
import { createItemBackoff } from '../machinery/item-backoff.ts'
import { chooseRound } from '../admission/choose-round.ts'
import { createLearntCapacity } from '../admission/learnt-capacity.ts'
import { beginningOfTime } from '../admission/virtual-time.ts'
import { viewOf, waitReason } from '../admission/wait-reason.ts'
import type { AccountView } from '../admission/wait-reason.ts'
import type { RoundAccount, RoundLimits } from '../admission/round.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { AccountInRound, AdmissionRequest } from '../../common/store/admission.ts'
import type { Store } from '../../common/store/store.ts'
import type { ControllerMetrics } from '../apply/controller-metrics.ts'
import type { Term } from '../machinery/election/leader.ts'
import type { Caches } from '../observe/caches.ts'
import type { Reason } from '../status/reason.ts'

export interface Admission {
  /** One round over all accounts with waiting commands, the one with the least service first; false if nothing waits. */
  admitWaiting(signal: AbortSignal): Promise<boolean>
  /** Why the account's commands wait, as the last round left it; null before the first. */
  reason(accountId: string, vcpuCount: number): Reason | null
}

export interface AdmissionDeps {
  readonly store: Pick<Store, 'findWaiting' | 'admit' | 'recordWaitReasons'>
  readonly caches: Pick<Caches, 'podsOf'>
  readonly plans: Plans
  readonly settings: AdmissionSettings
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: Pick<ControllerMetrics, 'admitted'>
  /** Called with the ids that were admitted. */
  readonly onAdmitted: (commandIds: readonly string[]) => void
}

/** `capacityVcpus`: null = learnt from the pods. */
export type AdmissionSettings = Pick<
  RoundLimits,
  'liveJobs' | 'liveFileJobs' | 'capacityVcpus' | 'reservedShare' | 'passSeconds'
>

/** Commands of an account and lane that a round reads. */
const heads = 16
/** The database has just returned the accounts, so it is at fault only if several of them fail. */
const mostFailuresInARow = 5
const backoffMs = { first: 1_000, longest: 300_000, jitter: [0.75, 1.25] } as const
/** Between two writes of an account's wait reason. */
const recordEveryMs = 5_000

/**
 * A round chooses from one read, then admits account by account, each in a transaction that sums again
 * what is running: nothing is counted here, so nothing can leak or be counted twice. Memory holds only
 * what decides the order: who was served how much since the term began. An account whose admission
 * fails is left out of the rounds for a while and delays no other account.
 */
export function createAdmission(deps: AdmissionDeps): Admission {
  const { plans, settings, store } = deps
  const { clock } = deps.effects
  const views = new Map<string, AccountView>()
  const backoff = createItemBackoff({ ...deps.effects, waits: backoffMs })
  const capacity = createLearntCapacity({ podsOf: (id) => deps.caches.podsOf(id), clock })
  const eachAccount = createEachItem({ name: 'admission', clock, logger: deps.logger })
  let time = beginningOfTime
  let recordedMs = -Infinity
  return {
    async admitWaiting(signal) {
      const found = await store.findWaiting({ heads })
      forgetOthers(found)
      const accounts = found.map(roundAccount)
      const learnt = capacity.observe(found)
      const capacityVcpus = settings.capacityVcpus ?? learnt.capacityVcpus
      const limits = { ...settings, ...learnt, capacityVcpus, largestVcpus: largestVcpus(plans) }
      const chosen = chooseRound(time, accounts, limits)
      time = chosen.time
      const started = new Set(chosen.admissions.flatMap(({ commandIds }) => commandIds))
      for (const account of accounts) {
        show(account, viewOf(account, started, chosen.waits.get(account.accountId)))
      }
      await eachAccount.run(chosen.admissions, {
        work: ({ account, commandIds }) => admit(account, commandIds, capacityVcpus),
        postpone: ({ account }) => backoff.failed(account.accountId),
        describe: ({ account }) => ({ account: account.name }),
        giveUpAfter: mostFailuresInARow,
        signal,
      })
      await recordReasons(found)
      return found.some(({ waiting }) => waiting.length > 0)
    },
    reason(accountId, vcpuCount) {
      const view = views.get(accountId)
      if (view === undefined) return null
      const { reason, message } = waitReason(view, vcpuCount)
      return { reason, message }
    },
  }

  /** An account whose backoff has not ended keeps what it runs and starts nothing. */
  function roundAccount(account: AccountInRound): RoundAccount {
    const { weight, vcpuTotal, maxJobs, fileJobs } = planOf(plans, account.plan)
    const limits = { vcpuLimit: vcpuTotal, jobLimit: maxJobs, fileJobLimit: fileJobs }
    const waiting = backoff.isDue(account.accountId) ? account.waiting : []
    return { ...account, ...limits, weight, waiting }
  }

  async function admit(
    account: RoundAccount,
    commandIds: readonly string[],
    capacityVcpus: number | null,
  ): Promise<void> {
    const { accountId, vcpuLimit, jobLimit, fileJobLimit } = account
    const { liveJobs: liveJobLimit, liveFileJobs: liveFileJobLimit, passSeconds } = settings
    const request: AdmissionRequest = {
      ...{ accountId, commandIds, vcpuLimit, jobLimit, fileJobLimit },
      ...{ liveJobLimit, liveFileJobLimit, capacityVcpus, passSeconds },
    }
    const { admitted } = await effect(deps, 'operator.admitted', () => store.admit(request))
    backoff.succeeded(accountId)
    if (admitted.length === 0) return
    deps.metrics.admitted(admitted.length)
    deps.onAdmitted(admitted)
  }

  function show({ accountId }: RoundAccount, view: AccountView | null): void {
    if (view !== null) views.set(accountId, view)
    else if (backoff.isDue(accountId)) views.delete(accountId)
  }

  async function recordReasons(accounts: readonly AccountInRound[]): Promise<void> {
    const nowMs = clock.monotonicMs()
    if (nowMs - recordedMs < recordEveryMs) return
    const changed = accounts
      .map((account) => ({ ...account, now: codeOf(views.get(account.accountId)) }))
      .filter(({ reason, now }) => reason !== now)
      .map(({ accountId, now }) => ({ accountId, reason: now }))
    if (changed.length === 0) return
    recordedMs = nowMs
    await effect(deps, 'operator.waits_recorded', () => store.recordWaitReasons(changed))
  }

  function forgetOthers(accounts: readonly AccountInRound[]): void {
    const waiting = new Set(
      accounts.filter((each) => each.waiting.length > 0).map(({ accountId }) => accountId),
    )
    for (const accountId of views.keys()) {
      if (!waiting.has(accountId)) views.delete(accountId)
    }
    backoff.keepOnly(waiting)
  }
}

function codeOf(view: AccountView | undefined): string | null {
  return view === undefined ? null : waitReason(view, view.oldestVcpus).code
}
