import { vcpusOf } from '../../common/domain/vcpus.ts'
import { chooseAdmitted } from '../../common/database/lifecycle/choose-admitted.ts'
import { fitOf, poolOf, sliceOf, take } from './pool.ts'
import type { Fit, Pool, Slice } from './pool.ts'
import type { Lane, RoundAccount, RoundLimits, SharedWait } from './round.ts'
import type { RunningCommand, WaitingCommand } from '../../common/store/admission.ts'

/** An account while a round is chosen. */
export interface AccountState {
  readonly account: RoundAccount
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
 * What is left for all accounts while a round is chosen. Room only shrinks, so what does not fit now does
 * not fit later.
 */
export interface RoundState {
  readonly limits: RoundLimits
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
  Partial<Pick<RunningCommand, 'isEnding' | 'isSuspended' | 'isStarting' | 'runningSeconds'>>

/** Jobs that two new accounts start. */
const newcomerJobs = 2
/**
 * While an account without a backlog has commands, each start of an account with one takes its place for at
 * least this time: on few cores, a series of starts makes each start of the other account slower.
 */
const pacedSeconds = 3
/** Only the head of an account's queue is read, so a larger limit of starts would find no backlog. */
const largestBurst = 8
/** Starts kept in reserve for a new account. */
const newcomerStarts = 1

export function openRound(accounts: readonly RoundAccount[], limits: RoundLimits): RoundState {
  const { capacityVcpus, liveJobs, liveFileJobs, reservedShare } = limits
  const vcpus = poolOf(capacityVcpus, reservedShare, limits.largestVcpus)
  const jobs = poolOf(liveJobs, reservedShare, newcomerJobs)
  const fileJobs = poolOf(liveFileJobs, reservedShare, newcomerJobs)
  const starts = poolOf(limits.startingPods, reservedShare, newcomerStarts)
  const weights = accounts.reduce((sum, { weight }) => sum + weight, 0)
  const demandOf = (command: Pick<WaitingCommand, 'vcpuCount'>): number =>
    Math.min(vcpusOf(command), vcpus.total)
  const poolsOf = (state: AccountState, isFile: boolean): [Pool, Slice] =>
    isFile ? [fileJobs, state.fileJobs] : [jobs, state.jobs]

  const backlogged = new Set(accounts.filter((account) => hasBacklog(account, limits)))
  const isPaced = backlogged.size < accounts.length
  const holdsStart = (state: AccountState, command: ChargedCommand): boolean => {
    if (command.isStarting !== false) return true
    const isRecent = (command.runningSeconds ?? 0) < pacedSeconds && command.isSuspended !== true
    return isRecent && isPaced && backlogged.has(state.account)
  }
  const charge = (state: AccountState, command: ChargedCommand): void => {
    const [pool, slice] = poolsOf(state, command.vcpuCount === 0)
    take(pool, slice, 1, command.isEnding)
    const isStuck = limits.unscheduled.stuck?.has(command.commandId) === true
    if (holdsStart(state, command) && !isStuck) take(starts, state.starts, 1)
    if (command.isSuspended === true) return
    if (!isStuck) take(vcpus, state.vcpus, demandOf(command), command.isEnding)
    state.ownVcpus += command.vcpuCount
  }
  const fitOfCapacity = (state: AccountState, command: WaitingCommand): Fit =>
    fitOf(vcpus, state.vcpus, demandOf(command))

  const states = accounts.map((account): AccountState => {
    const { accountId, weight, waiting, running } = account
    const state: AccountState = {
      ...{ account, accountId, weight },
      commands: waiting.filter(({ vcpuCount }) => vcpuCount > 0),
      files: waiting.filter(({ vcpuCount }) => vcpuCount === 0),
      ownVcpus: 0,
      unscheduled: limits.unscheduled.of.get(accountId) ?? 0,
      vcpus: sliceOf(vcpus, weight, weights),
      jobs: sliceOf(jobs, weight, weights),
      fileJobs: sliceOf(fileJobs, weight, weights),
      starts: sliceOf(starts, weight, weights),
      oldestSeconds: Math.max(0, ...waiting.map(({ waitedSeconds }) => waitedSeconds)),
      wait: { commands: null, files: null },
    }
    for (const command of running) charge(state, command)
    return state
  })

  return {
    ...{ limits, accounts: states, earmark: null, demandOf },
    hasCapacity: (state, command) => fitOfCapacity(state, command) === 'fits',
    allowed(state, lane) {
      const [id] = chooseAdmitted(state[lane], {
        vcpuInUse: state.ownVcpus,
        vcpuLimit: state.account.vcpuLimit,
        // One is enough: the next is chosen when this one has started.
        jobs: state.jobs.used < (state.account.jobLimit ?? Infinity) ? 1 : 0,
        fileJobs: state.fileJobs.used < (state.account.fileJobLimit ?? Infinity) ? 1 : 0,
        ...{ capacityVcpus: Infinity, freeVcpus: Infinity, passSeconds: limits.passSeconds },
      })
      return state[lane].find(({ commandId }) => commandId === id) ?? null
    },
    fits(state, command) {
      const { limit, limits: own } = limits.unscheduled
      if (state.unscheduled >= (own?.get(state.accountId) ?? limit)) return 'full'
      const [pool, slice] = poolsOf(state, command.vcpuCount === 0)
      const job = fitOf(pool, slice, 1)
      if (job !== 'fits') return job
      const capacity = fitOfCapacity(state, command)
      return capacity === 'fits' ? fitOf(starts, state.starts, 1) : capacity
    },
    start(state, lane, command) {
      charge(state, command)
      state.unscheduled += 1
      state[lane] = state[lane].filter((other) => other !== command)
    },
  }
}

/** True if more commands wait than one burst starts; throughput then matters more than the latency of one start. */
function hasBacklog({ waiting }: RoundAccount, { startingPods }: RoundLimits): boolean {
  return startingPods !== null && waiting.length > Math.min(startingPods, largestBurst)
}
