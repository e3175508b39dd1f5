import { vcpusOf } from '../../common/domain/vcpus.ts'
import { chooseAdmitted } from '../../common/database/lifecycle/choose-admitted.ts'
import { createClaims, largestAsked } from './claims.ts'
import type { Claims } from './claims.ts'
import { fitOf, reserveFor, sliceOf, take } from './pool.ts'
import type { Fit, Pool, Slice } from './pool.ts'
import { poolsOf } from './pools.ts'
import type { PoolName } from './pools.ts'
import type { Lane, LimitedAccount, PassLimits, SharedWait } from './pass.ts'
import type { RunningCommand, WaitingCommand } from '../../common/store/admission.ts'

/** An account while a pass is chosen. */
export interface AccountState {
  readonly account: LimitedAccount
  readonly accountId: string
  readonly weight: number
  /** Those of its lanes that may still start, in order. */
  commands: WaitingCommand[]
  files: WaitingCommand[]
  /** vCPUs of its commands: what its own limit counts. */
  ownVcpus: number
  unscheduled: number
  readonly vcpus: Slice
  readonly jobs: Slice
  readonly fileJobs: Slice
  readonly starts: Slice
  /** Time since the submission of the oldest that waits: priority must not count among accounts. */
  readonly oldestSeconds: number
  readonly wait: { -readonly [L in Lane]: SharedWait[L] }
}

/**
 * Room that is left for all accounts while a pass is chosen. A command that does not fit now does not fit later in the
 * pass: room only shrinks, and where a start makes the reserve smaller the next pass has the rest.
 */
export interface PassState {
  readonly limits: PassLimits
  readonly accounts: readonly AccountState[]
  /** Freed vCPUs are held for this account's command; `demand` is its vCPUs. */
  earmark: { readonly state: AccountState; readonly demand: number } | null
  /** The next command that the account's own limits let start. */
  allowed(state: AccountState, lane: Lane): WaitingCommand | null
  fits(state: AccountState, command: WaitingCommand): Fit
  hasCapacity(state: AccountState, command: WaitingCommand): boolean
  /** vCPUs of the cluster; a command larger than the whole cluster runs alone. */
  demandOf(command: WaitingCommand): number
  start(state: AccountState, lane: Lane, command: WaitingCommand): void
}

type ChargedCommand = Pick<WaitingCommand, 'commandId' | 'vcpuCount'> &
  Partial<Pick<RunningCommand, 'isEnding' | 'isStarting' | 'runningSeconds'>>

/**
 * While an account without a backlog has commands, each start of an account with one takes its place for at
 * least this time: on few cores, a series of starts makes each start of the other account slower.
 */
const pacedSeconds = 3
/** Only the head of an account's queue is read, so a larger limit of starts would find no backlog. */
const largestBurst = 8

/** Shared by all accounts of a pass. */
interface Common {
  readonly limits: PassLimits
  readonly pools: Readonly<Record<PoolName, Pool>>
  readonly claims: Claims
  /** Accounts with a backlog, if others have none: their starts are paced. */
  readonly paced: ReadonlySet<LimitedAccount>
}

export function openPass(accounts: readonly LimitedAccount[], limits: PassLimits): PassState {
  const pools = poolsOf(limits)
  const present = new Map<string, AccountState>()
  const claims = createClaims(limits.submitters, present, pools.vcpus.total)
  const backlogged = new Set(accounts.filter((account) => hasBacklog(account, limits)))
  const paced = backlogged.size < accounts.length ? backlogged : new Set<LimitedAccount>()
  const common: Common = { limits, pools, claims, paced }
  for (const state of statesOf(common, accounts)) present.set(state.accountId, state)
  return {
    limits,
    accounts: [...present.values()],
    earmark: null,
    demandOf: (command) => demandOf(common, command),
    hasCapacity: (state, command) => fitOfCapacity(common, state, command) === 'fits',
    allowed(state, lane) {
      const [id] = chooseAdmitted(state[lane], {
        vcpuInUse: state.ownVcpus,
        vcpuLimit: state.account.vcpuLimit,
        // One is enough: the next is chosen when this one has started.
        jobs: state.jobs.used < (state.account.jobLimit ?? Infinity) ? 1 : 0,
        fileJobs: state.fileJobs.used < (state.account.fileJobLimit ?? Infinity) ? 1 : 0,
        capacityVcpus: Infinity,
        freeVcpus: Infinity,
        passSeconds: limits.passSeconds,
      })
      return state[lane].find(({ commandId }) => commandId === id) ?? null
    },
    fits(state, command) {
      const { limit, limits: own } = limits.unscheduled
      if (state.unscheduled >= (own?.get(state.accountId) ?? limit)) return 'full'
      const job = fitIn(common, jobsOf(command), state, 1)
      if (job !== 'fits') return job
      const capacity = fitOfCapacity(common, state, command)
      return capacity === 'fits' ? fitIn(common, 'starts', state, 1) : capacity
    },
    start(state, lane, command) {
      charge(common, state, command)
      claims.changed()
      state.unscheduled += 1
      state[lane] = state[lane].filter((other) => other !== command)
    },
  }
}

/** Each account with its share of the pools, charged with what it runs. */
function statesOf(common: Common, accounts: readonly LimitedAccount[]): AccountState[] {
  const { limits, pools } = common
  const weights = accounts.reduce((sum, { weight }) => sum + weight, 0)
  const ids = new Set(accounts.map(({ accountId }) => accountId))
  const absent = limits.submitters.filter(({ accountId }) => !ids.has(accountId))
  const kept = largestAsked(absent, pools.vcpus.total)
  const sliceIn = (pool: PoolName, weight: number): Slice =>
    sliceOf(pools[pool].total - reserveFor(pools[pool], kept[pool]), weight, weights)
  return accounts.map((account) => {
    const { accountId, weight, waiting, running } = account
    const state: AccountState = {
      account,
      accountId,
      weight,
      commands: waiting.filter(({ vcpuCount }) => vcpuCount > 0),
      files: waiting.filter(({ vcpuCount }) => vcpuCount === 0),
      ownVcpus: 0,
      unscheduled: limits.unscheduled.of.get(accountId) ?? 0,
      vcpus: sliceIn('vcpus', weight),
      jobs: sliceIn('jobs', weight),
      fileJobs: sliceIn('fileJobs', weight),
      starts: sliceIn('starts', weight),
      oldestSeconds: Math.max(0, ...waiting.map(({ waitedSeconds }) => waitedSeconds)),
      wait: { commands: null, files: null },
    }
    for (const command of running) charge(common, state, command)
    return state
  })
}

function charge(common: Common, state: AccountState, command: ChargedCommand): void {
  const { limits, pools } = common
  const jobs = jobsOf(command)
  take(pools[jobs], state[jobs], 1, command.isEnding)
  const isStuck = limits.unscheduled.stuck?.has(command.commandId) === true
  if (holdsStart(common, state, command) && !isStuck) take(pools.starts, state.starts, 1)
  if (!isStuck) take(pools.vcpus, state.vcpus, demandOf(common, command), command.isEnding)
  state.ownVcpus += command.vcpuCount
}

function holdsStart({ paced }: Common, state: AccountState, command: ChargedCommand): boolean {
  if (command.isStarting !== false) return true
  return (command.runningSeconds ?? 0) < pacedSeconds && paced.has(state.account)
}

function fitIn(
  { pools, claims }: Common,
  pool: PoolName,
  state: AccountState,
  amount: number,
): Fit {
  return fitOf(pools[pool], state[pool], amount, () => claims.besides(pool, state.accountId))
}

function fitOfCapacity(common: Common, state: AccountState, command: WaitingCommand): Fit {
  return fitIn(common, 'vcpus', state, demandOf(common, command))
}

function demandOf({ pools }: Common, command: Pick<WaitingCommand, 'vcpuCount'>): number {
  return Math.min(vcpusOf(command), pools.vcpus.total)
}

function jobsOf({ vcpuCount }: Pick<WaitingCommand, 'vcpuCount'>): 'jobs' | 'fileJobs' {
  return vcpuCount === 0 ? 'fileJobs' : 'jobs'
}

/** True if more commands wait than one burst starts; throughput then matters more than the latency of one start. */
function hasBacklog({ waiting }: LimitedAccount, { startingPods }: PassLimits): boolean {
  return startingPods !== null && waiting.length > Math.min(startingPods, largestBurst)
}
