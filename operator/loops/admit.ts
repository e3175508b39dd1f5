import { createEachItem } from '../../common/runtime/each-item.ts'
import type { EachItem } from '../../common/runtime/each-item.ts'
import { planOf } from '../../common/domain/plans.ts'
import { effect } from '../apply/apply-context.ts'
import { createItemBackoff } from '../machinery/item-backoff.ts'
import { chooseAdmissions } from '../admission/choose-admissions.ts'
import { createLearntCapacity, unlimitedCapacity } from '../admission/learnt-capacity.ts'
import { createQuotaWaits } from '../admission/quota-waits.ts'
import { createServiceRates } from '../admission/service-rates.ts'
import { createSubmitters } from '../admission/submitters.ts'
import { beginningOfTime } from '../admission/virtual-time.ts'
import type { LimitedAccount, PassLimits } from '../admission/pass.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { AdmissionRequest, AdmittedCommand } from '../../common/store/admission.ts'
import type { Store } from '../../common/store/store.ts'
import type { ControllerMetrics } from '../apply/controller-metrics.ts'
import type { Term } from '../machinery/election/leader.ts'
import { placementOf } from '../admission/placement.ts'
import type { PlacementDeps } from '../admission/placement.ts'
import type { Reason } from '../status/reason.ts'
import {
  forgetOthers,
  limitedAccount,
  noteAdmitted,
  noteStarting,
  noteViews,
  reasonOf,
  waitOf,
} from './admission-state.ts'
import type { AdmissionState } from './admission-state.ts'
import { createWaitRecords } from './record-waits.ts'
import type { WaitRecords } from './record-waits.ts'

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

/** Steps of a pass that have effects. */
interface PassDeps extends AdmissionDeps {
  readonly waitRecords: WaitRecords
  readonly eachReturn: EachItem
  readonly eachAccount: EachItem
}

/**
 * A pass chooses from one read, then admits account by account, each in a transaction that sums again
 * what is running: nothing is counted here, so nothing can leak or be counted twice. Memory holds only
 * what decides the order: who was served how much since the term began. An account whose admission
 * fails is left out of the passes for a while and delays no other account.
 */
export function createAdmission(deps: AdmissionDeps): Admission {
  const { logger, store } = deps
  const { clock } = deps.effects
  const state = stateOfTerm(deps)
  const passDeps: PassDeps = {
    ...deps,
    waitRecords: createWaitRecords(clock, (waits) =>
      effect(deps, 'operator.waits_recorded', () => store.recordWaits(waits)),
    ),
    eachReturn: createEachItem({ name: 'return', clock, logger }),
    eachAccount: createEachItem({ name: 'admission', clock, logger }),
  }
  return {
    admitWaiting: (signal) => admitWaiting(passDeps, state, signal),
    reason: (accountId, vcpuCount) => reasonOf(state, accountId, vcpuCount),
    started(commandId) {
      if (state.starting.delete(commandId)) deps.wake()
    },
  }
}

function stateOfTerm(deps: AdmissionDeps): AdmissionState {
  const { effects, settings, store } = deps
  const { clock } = effects
  return {
    views: new Map(),
    starting: new Set(),
    backoff: createItemBackoff({ ...effects, waits: backoffMs }),
    capacity: settings.learnsCapacity
      ? createLearntCapacity({
          clock,
          unplacedPods: settings.unplacedPods,
          passSeconds: settings.passSeconds,
          placementOf: (command) => placementOf(deps, command),
        })
      : unlimitedCapacity,
    rates: createServiceRates({ clock }),
    quotaWaits: createQuotaWaits(clock),
    submitters: createSubmitters({
      clock,
      withinSeconds: settings.reservedShare === 0 ? 0 : settings.reserveSeconds,
      findSubmissions: (query) => store.findSubmissions(query),
    }),
    time: beginningOfTime,
  }
}

async function admitWaiting(
  deps: PassDeps,
  state: AdmissionState,
  signal: AbortSignal,
): Promise<boolean> {
  const { settings } = deps
  const found = await deps.store.findWaiting({ heads })
  const hasWaiting = found.some(({ waiting }) => waiting.length > 0)
  // After the read: a database that lost commits since must not run again what has ended.
  if (hasWaiting) await deps.compared(signal)
  forgetOthers(state, found)
  state.rates.observe(found)
  const accounts = found.map((account) => limitedAccount(state, deps.plans, account))
  const learnt = state.capacity.observe(found)
  await returnSurplus(deps, learnt.surplus, signal)
  const capacityVcpus = settings.capacityVcpus ?? learnt.capacityVcpus
  const { unscheduled, stuckVcpus } = learnt
  const chosen = chooseAdmissions(state.time, accounts, {
    ...settings,
    unscheduled,
    capacityVcpus,
    submitters: await state.submitters.observe(found),
  })
  state.time = chosen.time
  deps.metrics.admissionPass(found, { capacityVcpus, spreadSeconds: chosen.spreadSeconds })
  if (chosen.admissions.length > 0) deps.onChosen?.(chosen.admissions)
  noteStarting(state, settings.startingPods === null ? [] : found)
  noteViews(state, { found, accounts, chosen, words: learnt.words })
  await deps.eachAccount.run(chosen.admissions, {
    work: ({ account, commandIds }) =>
      admit(deps, state, {
        account,
        commandIds,
        capacityVcpus: capacityVcpus === null ? null : capacityVcpus + stuckVcpus,
      }),
    postpone: ({ account }) => state.backoff.failed(account.accountId),
    describe: ({ account }) => ({ account: account.name }),
    giveUpAfter: mostFailuresInARow,
    signal,
  })
  const waits = found.map((account) => waitOf(state, deps.plans, account, chosen.shares))
  await deps.waitRecords.record(found, waits)
  return hasWaiting
}

/** The Job of each, which holds a place in the cluster's queue, goes with its next reconcile. */
async function returnSurplus(
  deps: PassDeps,
  surplus: readonly AdmittedCommand[],
  signal: AbortSignal,
): Promise<void> {
  const returned: string[] = []
  await deps.eachReturn.run(surplus.slice(0, mostReturned), {
    async work({ commandId, jobGeneration }) {
      const isReturned = await effect(deps, 'operator.returned_to_queue', () =>
        deps.store.returnToQueue({ commandId, jobGeneration }),
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

async function admit(
  deps: AdmissionDeps,
  state: AdmissionState,
  wanted: {
    readonly account: LimitedAccount
    readonly commandIds: readonly string[]
    readonly capacityVcpus: number | null
  },
): Promise<void> {
  const { account } = wanted
  const { accountId, vcpuLimit, jobLimit, fileJobLimit } = account
  const { processingMbytes, storageMbytes } = planOf(deps.plans, account)
  const { liveJobs, liveFileJobs, passSeconds, startingPods } = deps.settings
  const request: AdmissionRequest = {
    accountId,
    commandIds: wanted.commandIds,
    vcpuLimit,
    jobLimit,
    fileJobLimit,
    liveJobLimit: liveJobs,
    liveFileJobLimit: liveFileJobs,
    capacityVcpus: wanted.capacityVcpus,
    passSeconds,
    quota: { processingMbytes, storageMbytes },
  }
  const {
    admitted,
    ended = [],
    quotaWait = null,
  } = await effect(deps, 'operator.admitted', () => deps.store.admit(request))
  noteAdmitted(state, account, { admitted, quotaWait, isLimited: startingPods !== null })
  deps.metrics.admitted(admitted.length)
  // The resource of an ended command shows its end.
  if (admitted.length + ended.length > 0) deps.onAdmitted([...admitted, ...ended])
}
