import { planOf } from '../../common/domain/plans.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { AccountInPass, RecordedWait } from '../../common/store/admission.ts'
import type { AdmissionPlan } from '../admission/choose-admissions.ts'
import type { LearntCapacity } from '../admission/learnt-capacity.ts'
import type { LimitedAccount } from '../admission/pass.ts'
import type { QuotaWaits } from '../admission/quota-waits.ts'
import type { ServiceRates } from '../admission/service-rates.ts'
import type { Submitters } from '../admission/submitters.ts'
import type { VirtualTime } from '../admission/virtual-time.ts'
import { viewOf, waitReason } from '../admission/wait-reason.ts'
import type { AccountView } from '../admission/wait-reason.ts'
import type { ItemBackoff } from '../machinery/item-backoff.ts'
import type { Reason } from '../status/reason.ts'

/** Memory of a leader's term: it decides the order of accounts, and counts nothing. */
export interface AdmissionState {
  /** Why the commands of each account wait. */
  readonly views: Map<string, AccountView>
  /** Commands that start while others wait. */
  readonly starting: Set<string>
  readonly backoff: ItemBackoff
  readonly capacity: LearntCapacity
  readonly rates: ServiceRates
  readonly quotaWaits: QuotaWaits
  readonly submitters: Submitters
  time: VirtualTime
}

/** An account whose backoff has not ended keeps what it runs and starts nothing. */
export function limitedAccount(
  { backoff, quotaWaits }: AdmissionState,
  plans: Plans,
  account: AccountInPass,
): LimitedAccount {
  const { weight, vcpuTotal, maxJobs, fileJobs } = planOf(plans, account)
  const limits = { vcpuLimit: vcpuTotal, jobLimit: maxJobs, fileJobLimit: fileJobs }
  const isQuotaFull = quotaWaits.of(account) !== null
  const mayStart = backoff.isDue(account.accountId) && account.pausedWhy === null
  const waiting = mayStart
    ? account.waiting.filter(({ vcpuCount }) => vcpuCount === 0 || !isQuotaFull)
    : []
  return { ...account, ...limits, weight, waiting }
}

/** @param accounts none where the starts have no limit: a start makes no room then */
export function noteStarting(
  { starting }: AdmissionState,
  accounts: readonly AccountInPass[],
): void {
  starting.clear()
  for (const { running } of accounts) {
    for (const { commandId, isStarting } of running) if (isStarting) starting.add(commandId)
  }
}

/** An account in backoff keeps its view: its commands still wait. */
export function noteViews(
  { views, backoff, quotaWaits }: AdmissionState,
  pass: {
    readonly found: readonly AccountInPass[]
    readonly accounts: readonly LimitedAccount[]
    readonly chosen: AdmissionPlan
    readonly words: ReadonlyMap<string, string>
  },
): void {
  const started = new Set(pass.chosen.admissions.flatMap(({ commandIds }) => commandIds))
  for (const [index, account] of pass.accounts.entries()) {
    const { accountId } = account
    const isDue = backoff.isDue(accountId)
    const { waiting } = isDue ? (pass.found[index] ?? account) : account
    const shared = pass.chosen.waits.get(accountId)
    const view = viewOf({ ...account, waiting }, started, shared, quotaWaits.of(account))
    if (view !== null) {
      views.set(accountId, { ...view, clusterWords: pass.words.get(accountId) ?? null })
    } else if (isDue) views.delete(accountId)
  }
}

/** @param admission `isLimited`: the starts of all accounts have a limit */
export function noteAdmitted(
  { backoff, quotaWaits, starting, views }: AdmissionState,
  account: LimitedAccount,
  admission: {
    readonly admitted: readonly string[]
    readonly quotaWait: string | null
    readonly isLimited: boolean
  },
): void {
  const { admitted, quotaWait, isLimited } = admission
  const { accountId } = account
  backoff.succeeded(accountId)
  // Commands that were admitted now are among the running ones of the next pass.
  quotaWaits.set(account, admitted.length === 0 ? quotaWait : null)
  const view = views.get(accountId)
  if (view !== undefined) views.set(accountId, { ...view, quotaWait })
  if (isLimited) for (const id of admitted) starting.add(id)
}

/** @returns null for an account without a view */
export function reasonOf(
  { views }: AdmissionState,
  accountId: string,
  vcpuCount: number,
): Reason | null {
  const view = views.get(accountId)
  if (view === undefined) return null
  const { reason, message } = waitReason(view, vcpuCount)
  return { reason, message }
}

/** Reason and rate that the row of the account is to have. */
export function waitOf(
  { views, rates }: AdmissionState,
  plans: Plans,
  account: AccountInPass,
  shares: ReadonlyMap<string, number>,
): RecordedWait {
  const { accountId } = account
  const view = views.get(accountId)
  if (view === undefined) return { accountId, reason: null, rateVcpus: account.rateVcpus }
  const reason = waitReason(view, view.firstVcpus).code
  // The recent rate of the account, or its present limit if that is more.
  const share = Math.min(shares.get(accountId) ?? 0, planOf(plans, account).vcpuTotal ?? Infinity)
  const rate = Math.max(rates.rateOf(accountId), Number.isFinite(share) ? share : 0)
  return { accountId, reason, rateVcpus: rate > 0 ? rate : null }
}

export function forgetOthers(
  { views, quotaWaits, backoff }: AdmissionState,
  accounts: readonly AccountInPass[],
): void {
  const waiting = new Set(
    accounts.filter((each) => each.waiting.length > 0).map(({ accountId }) => accountId),
  )
  for (const accountId of views.keys()) if (!waiting.has(accountId)) views.delete(accountId)
  quotaWaits.keepOnly(waiting)
  backoff.keepOnly(waiting)
}
