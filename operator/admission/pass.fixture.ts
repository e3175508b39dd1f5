import { chooseAdmissions } from './choose-admissions.ts'
import { beginningOfTime, leastSeconds } from './virtual-time.ts'
import type { LimitedAccount, PassLimits, Submitter } from './pass.ts'
import type { WaitingCommand } from '../../common/store/admission.ts'

/** Limits that limit nothing, for tests of pure functions. */
export const freely: PassLimits = {
  capacityVcpus: null,
  liveJobs: 100_000,
  liveFileJobs: 100_000,
  reservedShare: 0,
  submitters: [],
  passSeconds: 300,
  startingPods: null,
  unscheduled: { limit: Infinity, of: new Map() },
}

export function accountWith(changes: Partial<LimitedAccount> = {}): LimitedAccount {
  return {
    accountId: 'a',
    name: 'acme',
    plan: 'small',
    limits: {},
    usedVcpuSeconds: 0,
    reason: null,
    rateVcpus: null,
    pausedWhy: null,
    weight: 1,
    vcpuLimit: null,
    jobLimit: null,
    fileJobLimit: null,
    waiting: [],
    running: [],
    ...changes,
  }
}

export function ofLate(accountId: string, largestVcpus = 1): Submitter {
  return { accountId, largestVcpus, hasFiles: false }
}

export function waiting(commandId: string, vcpuCount = 1, waitedSeconds = 0): WaitingCommand {
  return { commandId, vcpuCount, waitedSeconds, queuedSeconds: waitedSeconds }
}

/** An account of the model, which has always `backlog` commands waiting. */
export interface ModelAccount {
  readonly accountId: string
  readonly weight: number
  readonly vcpuCount: number
  readonly runSeconds: number
  /** Seconds at which commands come, one by one; null: some always wait. */
  readonly arrivals: readonly number[] | null
}

export interface ModelRun {
  /** vCPU-seconds charged to each account by the end: for what has ended and for what runs. */
  readonly attained: ReadonlyMap<string, number>
  /** Seconds between the arrival and the start of each command that started. */
  readonly waits: ReadonlyMap<string, readonly number[]>
  /** vCPUs in use after each second's pass. */
  readonly usage: readonly number[]
}

/**
 * A cluster with one pass of admission a second, in which a command runs for its account's `runSeconds`. The
 * reserve is for accounts of which a command came within `reserveSeconds`.
 */
export function runModel(
  accounts: readonly ModelAccount[],
  limits: PassLimits,
  options: { seconds: number; backlog?: number; reserveSeconds?: number },
): ModelRun {
  const states = accounts.map((account) => ({
    account,
    used: 0,
    made: 0,
    cameAt: -Infinity,
    waits: [] as number[],
    queue: [] as { commandId: string; atSecond: number }[],
    running: [] as { commandId: string; fromSecond: number }[],
  }))
  const { reserveSeconds = 1_800 } = options
  const submittersAt = (second: number): Submitter[] =>
    states
      .filter(({ cameAt }) => second - cameAt < reserveSeconds)
      .map(({ account: { accountId, vcpuCount } }) => ({
        accountId,
        largestVcpus: vcpuCount,
        hasFiles: false,
      }))
  const usage: number[] = []
  let time = beginningOfTime
  for (let second = 0; second < options.seconds; second += 1) {
    for (const state of states) {
      const { account } = state
      const ended = state.running.filter(
        ({ fromSecond }) => second - fromSecond >= account.runSeconds,
      )
      state.running = state.running.filter((each) => !ended.includes(each))
      state.used += ended.length * account.vcpuCount * account.runSeconds
      const arrived =
        account.arrivals === null
          ? Math.max(0, (options.backlog ?? 16) - state.queue.length)
          : account.arrivals.filter((at) => at === second).length
      if (arrived > 0) state.cameAt = second
      for (let count = 0; count < arrived; count += 1) {
        state.queue.push({ commandId: `${account.accountId}/${++state.made}`, atSecond: second })
      }
    }
    const pass = chooseAdmissions(
      time,
      states
        .filter(({ queue, running }) => queue.length + running.length > 0)
        .map(({ account, used, queue, running }) =>
          accountWith({
            accountId: account.accountId,
            weight: account.weight,
            usedVcpuSeconds: used,
            waiting: queue
              .slice(0, 16)
              .map(({ commandId, atSecond }) =>
                waiting(commandId, account.vcpuCount, second - atSecond),
              ),
            running: running.map(({ commandId, fromSecond }) => ({
              commandId,
              vcpuCount: account.vcpuCount,
              runningSeconds: second - fromSecond,
              isEnding: false,
              isStarting: false,
            })),
          }),
        ),
      { ...limits, submitters: submittersAt(second) },
    )
    time = pass.time
    const started = new Set(pass.admissions.flatMap(({ commandIds }) => commandIds))
    for (const state of states) {
      for (const { commandId, atSecond } of state.queue) {
        if (!started.has(commandId)) continue
        state.running.push({ commandId, fromSecond: second })
        state.waits.push(second - atSecond)
      }
      state.queue = state.queue.filter(({ commandId }) => !started.has(commandId))
    }
    usage.push(
      states.reduce((sum, { account, running }) => sum + account.vcpuCount * running.length, 0),
    )
  }
  return {
    attained: new Map(
      states.map(({ account, used, running }) => [
        account.accountId,
        used +
          running.reduce((sum, { fromSecond }) => {
            const seconds = Math.max(leastSeconds, options.seconds - fromSecond)
            return sum + account.vcpuCount * seconds
          }, 0),
      ]),
    ),
    waits: new Map(states.map(({ account, waits }) => [account.accountId, waits])),
    usage,
  }
}

/** 1 = all equal, 1/n = one has everything. */
export function jainsIndex(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0)
  const squares = values.reduce((total, value) => total + value * value, 0)
  return (sum * sum) / (values.length * squares)
}
