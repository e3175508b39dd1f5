import { createEachItem } from '../../common/runtime/each-item.ts'
import { planOf } from '../../common/domain/plans.ts'
import { effect } from '../apply/apply-context.ts'
import { createItemBackoff } from '../machinery/item-backoff.ts'
import { chooseAdmissions } from '../admission/choose-admissions.ts'
import { createLearntCapacity, unlimitedCapacity } from '../admission/learnt-capacity.ts'
import { createQuotaWaits } from '../admission/quota-waits.ts'
import { createServiceRates } from '../admission/service-rates.ts'
import { createSubmitters } from '../admission/submitters.ts'
import { beginningOfTime } from '../admission/virtual-time.ts'
import { viewOf, waitReason } from '../admission/wait-reason.ts'
import type { AccountView } from '../admission/wait-reason.ts'
import type { LimitedAccount, PassLimits } from '../admission/pass.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type {
  AccountInPass,
  AdmissionRequest,
  RecordedWait,
  AdmittedCommand,
} from '../../common/store/admission.ts'
import type { Store } from '../../common/store/store.ts'
import type { ControllerMetrics } from '../apply/controller-metrics.ts'
import type { Term } from '../machinery/election/leader.ts'
import { placementOf } from '../admission/placement.ts'
import type { PlacementDeps } from '../admission/placement.ts'
import type { Reason } from '../status/reason.ts'

export interface Admission {
  /** One pass over all accounts with waiting commands, the one with the least service first; false if nothing waits. */
  admitWaiting(signal: AbortSignal): Promise<boolean>
  /** Why the account's commands wait, as the last pass left it; null before the first. */
  reason(accountId: string, vcpuCount: number): Reason | null
  /** A runner has the command, or it ended: another may start in its place. */
  started(commandId: string): void
}

export interface AdmissionDeps extends PlacementDeps {
  readonly store: Pick<
    Store,
    'findWaiting' | 'findSubmissions' | 'admit' | 'returnToQueue' | 'recordWaits'
  >
  readonly plans: Plans
  readonly settings: AdmissionSettings
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: Pick<ControllerMetrics, 'admitted' | 'admissionPass'>
  /** Resolves once rows and custom resources were compared under the database's present history. */
  readonly compared: (signal: AbortSignal) => Promise<void>
  /** Called with what a pass is about to admit. */
  readonly onChosen?: (chosen: readonly ChosenAdmission[]) => void
  /** Called with the ids that returned to the queue, whose Jobs have to go. */
  readonly onReturned?: (commandIds: readonly string[]) => void
  /** Called with the ids that were admitted. */
  readonly onAdmitted: (commandIds: readonly string[]) => void
  /** Requests a pass now. */
  readonly wake: () => void
}

export interface ChosenAdmission {
  readonly account: Pick<LimitedAccount, 'accountId' | 'plan' | 'waiting'>
  readonly commandIds: readonly string[]
}

export interface AdmissionSettings extends Pick<
  PassLimits,
  'liveJobs' | 'liveFileJobs' | 'capacityVcpus' | 'reservedShare' | 'passSeconds' | 'startingPods'
> {
  /** Pods of an account that may be without a node while the cluster has none for them. */
  readonly unplacedPods: number
  /** A `capacityVcpus` of null is learnt from the pods; otherwise null limits nothing. */
  readonly learnsCapacity: boolean
  /** The reserve is for accounts that submitted within this time; 0 = for none. */
  readonly reserveSeconds: number
}

/** Commands of an account and lane that a pass reads. */
const heads = 16
/** The database has just returned the accounts, so it is at fault only if several of them fail. */
const mostFailuresInARow = 5
/** Each is a statement of its own, and the next pass follows within a second or two. */
const mostReturned = 50
const backoffMs = { first: 1_000, longest: 300_000, jitter: [0.75, 1.25] } as const
/** Between two writes of what accounts wait for. */
const recordEveryMs = 5_000
/** A smaller change of a rate is not worth its write. */
const recordedChange = 0.1

/**
 * A pass chooses from one read, then admits account by account, each in a transaction that sums again
 * what is running: nothing is counted here, so nothing can leak or be counted twice. Memory holds only
 * what decides the order: who was served how much since the term began. An account whose admission
 * fails is left out of the passes for a while and delays no other account.
 */
export function createAdmission(deps: AdmissionDeps): Admission {
  const { plans, settings, store } = deps
  const { clock } = deps.effects
  const views = new Map<string, AccountView>()
  const backoff = createItemBackoff({ ...deps.effects, waits: backoffMs })
  const capacity = settings.learnsCapacity
    ? createLearntCapacity({
        clock,
        unplacedPods: settings.unplacedPods,
        passSeconds: settings.passSeconds,
        placementOf: (command) => placementOf(deps, command),
      })
    : unlimitedCapacity
  const rates = createServiceRates({ clock })
  const quotaWaits = createQuotaWaits(clock)
  const submitters = createSubmitters({
    clock,
    withinSeconds: settings.reservedShare === 0 ? 0 : settings.reserveSeconds,
    findSubmissions: (query) => store.findSubmissions(query),
  })
  /** Accounts with a recorded reason, which has to be removed when they leave the passes. */
  const withReason = new Map<string, number | null>()
  /** Those that start while others wait. */
  const starting = new Set<string>()
  const eachReturn = createEachItem({ name: 'return', clock, logger: deps.logger })
  const eachAccount = createEachItem({ name: 'admission', clock, logger: deps.logger })
  let time = beginningOfTime
  let recordedMs = -Infinity
  return {
    async admitWaiting(signal) {
      const found = await store.findWaiting({ heads })
      // After the read: a database that lost commits since must not run again what has ended.
      if (found.some(({ waiting }) => waiting.length > 0)) await deps.compared(signal)
      forgetOthers(found)
      rates.observe(found)
      const accounts = found.map(limitedAccount)
      const learnt = capacity.observe(found)
      await returnSurplus(learnt.surplus, signal)
      const capacityVcpus = settings.capacityVcpus ?? learnt.capacityVcpus
      const { unscheduled, stuckVcpus } = learnt
      const chosen = chooseAdmissions(time, accounts, {
        ...settings,
        unscheduled,
        capacityVcpus,
        submitters: await submitters.observe(found),
      })
      time = chosen.time
      deps.metrics.admissionPass(found, { capacityVcpus, spreadSeconds: chosen.spreadSeconds })
      if (chosen.admissions.length > 0) deps.onChosen?.(chosen.admissions)
      noteStarting(found)
      const started = new Set(chosen.admissions.flatMap(({ commandIds }) => commandIds))
      for (const [index, account] of accounts.entries()) {
        const { waiting } = isDue(account) ? (found[index] ?? account) : account
        const shared = chosen.waits.get(account.accountId)
        const view = viewOf({ ...account, waiting }, started, shared, quotaWaits.of(account))
        const clusterWords = learnt.words.get(account.accountId) ?? null
        show(account, view === null ? null : { ...view, clusterWords })
      }
      await eachAccount.run(chosen.admissions, {
        work: ({ account, commandIds }) =>
          admit(account, commandIds, capacityVcpus === null ? null : capacityVcpus + stuckVcpus),
        postpone: ({ account }) => backoff.failed(account.accountId),
        describe: ({ account }) => ({ account: account.name }),
        giveUpAfter: mostFailuresInARow,
        signal,
      })
      await recordWaits(found, chosen.shares)
      return found.some(({ waiting }) => waiting.length > 0)
    },
    reason(accountId, vcpuCount) {
      const view = views.get(accountId)
      if (view === undefined) return null
      const { reason, message } = waitReason(view, vcpuCount)
      return { reason, message }
    },
    started(commandId) {
      if (starting.delete(commandId)) deps.wake()
    },
  }

  /** The Job of each, which holds a place in the cluster's queue, goes with its next reconcile. */
  async function returnSurplus(
    surplus: readonly AdmittedCommand[],
    signal: AbortSignal,
  ): Promise<void> {
    const returned: string[] = []
    await eachReturn.run(surplus.slice(0, mostReturned), {
      async work({ commandId, jobGeneration }) {
        const isReturned = await effect(deps, 'operator.returned_to_queue', () =>
          store.returnToQueue({ commandId, jobGeneration }),
        )
        if (isReturned) returned.push(commandId)
      },
      postpone: () => undefined,
      describe: ({ commandId }) => ({ command_id: commandId }),
      giveUpAfter: mostFailuresInARow,
      signal,
    })
    if (returned.length > 0) deps.onReturned?.(returned)
  }

  /** An account whose backoff has not ended keeps what it runs and starts nothing. */
  function limitedAccount(account: AccountInPass): LimitedAccount {
    const { weight, vcpuTotal, maxJobs, fileJobs } = planOf(plans, account)
    const limits = { vcpuLimit: vcpuTotal, jobLimit: maxJobs, fileJobLimit: fileJobs }
    const isQuotaFull = quotaWaits.of(account) !== null
    const waiting =
      isDue(account) && account.pausedWhy === null
        ? account.waiting.filter(({ vcpuCount }) => vcpuCount === 0 || !isQuotaFull)
        : []
    return { ...account, ...limits, weight, waiting }
  }

  async function admit(
    account: LimitedAccount,
    commandIds: readonly string[],
    capacityVcpus: number | null,
  ): Promise<void> {
    const { accountId, vcpuLimit, jobLimit, fileJobLimit } = account
    const { processingMbytes, storageMbytes } = planOf(plans, account)
    const { liveJobs: liveJobLimit, liveFileJobs: liveFileJobLimit, passSeconds } = settings
    const request: AdmissionRequest = {
      accountId,
      commandIds,
      vcpuLimit,
      jobLimit,
      fileJobLimit,
      liveJobLimit,
      liveFileJobLimit,
      capacityVcpus,
      passSeconds,
      quota: { processingMbytes, storageMbytes },
    }
    const {
      admitted,
      ended = [],
      quotaWait = null,
    } = await effect(deps, 'operator.admitted', () => store.admit(request))
    backoff.succeeded(accountId)
    noteQuota(account, { admitted, quotaWait })
    deps.metrics.admitted(admitted.length)
    if (settings.startingPods !== null) for (const id of admitted) starting.add(id)
    // The resource of an ended command shows its end.
    if (admitted.length + ended.length > 0) deps.onAdmitted([...admitted, ...ended])
  }

  /** Without a limit a start makes no room. */
  function noteStarting(accounts: readonly AccountInPass[]): void {
    starting.clear()
    if (settings.startingPods === null) return
    for (const { running } of accounts) {
      for (const { commandId, isStarting } of running) if (isStarting) starting.add(commandId)
    }
  }

  function isDue({ accountId }: Pick<AccountInPass, 'accountId'>): boolean {
    return backoff.isDue(accountId)
  }

  /** Commands that were admitted now are among the running ones of the next pass. */
  function noteQuota(
    account: LimitedAccount,
    { admitted, quotaWait }: { admitted: readonly string[]; quotaWait: string | null },
  ): void {
    quotaWaits.set(account, admitted.length === 0 ? quotaWait : null)
    const view = views.get(account.accountId)
    if (view !== undefined) views.set(account.accountId, { ...view, quotaWait })
  }

  function show({ accountId }: LimitedAccount, view: AccountView | null): void {
    if (view !== null) views.set(accountId, view)
    else if (backoff.isDue(accountId)) views.delete(accountId)
  }

  /** One statement for all accounts, of which it has only those that changed. */
  async function recordWaits(
    accounts: readonly AccountInPass[],
    shares: ReadonlyMap<string, number>,
  ): Promise<void> {
    const nowMs = clock.monotonicMs()
    if (nowMs - recordedMs < recordEveryMs) return
    const waits = accounts.map((account): RecordedWait & { readonly hasChanged: boolean } => {
      const { accountId } = account
      const reason = codeOf(views.get(accountId))
      const rateVcpus = reason === null ? account.rateVcpus : rateOf(account, shares)
      const isAsRecorded = reason === account.reason && isNear(rateVcpus, account.rateVcpus)
      return { accountId, reason, rateVcpus, hasChanged: !isAsRecorded }
    })
    const present = new Set(accounts.map(({ accountId }) => accountId))
    const gone = [...withReason].flatMap(([accountId, rateVcpus]): RecordedWait[] =>
      present.has(accountId) ? [] : [{ accountId, reason: null, rateVcpus }],
    )
    const changed = [...waits.filter(({ hasChanged }) => hasChanged), ...gone]
    if (changed.length > 0) {
      recordedMs = nowMs
      await effect(deps, 'operator.waits_recorded', () => store.recordWaits(changed))
    }
    withReason.clear()
    for (const { accountId, reason, rateVcpus } of waits) {
      if (reason !== null) withReason.set(accountId, rateVcpus)
    }
  }

  /** Recent rate of the account, or its present limit if that is more; null = unknown. */
  function rateOf(account: AccountInPass, shares: ReadonlyMap<string, number>): number | null {
    const { accountId } = account
    const { vcpuTotal } = planOf(plans, account)
    const share = Math.min(shares.get(accountId) ?? 0, vcpuTotal ?? Infinity)
    const rate = Math.max(rates.rateOf(accountId), Number.isFinite(share) ? share : 0)
    return rate > 0 ? rate : null
  }

  function forgetOthers(accounts: readonly AccountInPass[]): void {
    const waiting = new Set(
      accounts.filter((each) => each.waiting.length > 0).map(({ accountId }) => accountId),
    )
    for (const accountId of views.keys()) {
      if (!waiting.has(accountId)) views.delete(accountId)
    }
    quotaWaits.keepOnly(waiting)
    backoff.keepOnly(waiting)
  }
}

function codeOf(view: AccountView | undefined): string | null {
  return view === undefined ? null : waitReason(view, view.firstVcpus).code
}

function isNear(rate: number | null, recorded: number | null): boolean {
  if (rate === null || recorded === null) return rate === recorded
  return Math.abs(rate - recorded) <= recordedChange * recorded
}
