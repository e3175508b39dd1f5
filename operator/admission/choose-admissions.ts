import { vcpusOf } from '../../common/domain/vcpus.ts'
import { isBelowShare } from './pool.ts'
import type { Fit } from './pool.ts'
import { openPass } from './pass-state.ts'
import type { AccountState, PassState } from './pass-state.ts'
import type { Lane, LimitedAccount, PassLimits, SharedWait } from './pass.ts'
import { chargeOfRunning, leastSeconds, tagsOf, timeAfter } from './virtual-time.ts'
import type { Tagged, VirtualTime } from './virtual-time.ts'
import type { WaitingCommand } from '../../common/store/admission.ts'

export interface ChosenAdmission {
  readonly account: LimitedAccount
  readonly commandIds: readonly string[]
}

export interface AdmissionPlan {
  /** Sorted by the time at which the accounts were first served. */
  readonly admissions: readonly ChosenAdmission[]
  readonly waits: ReadonlyMap<string, SharedWait>
  /** vCPUs of the cluster that each account may use beside the others; Infinity = unknown. */
  readonly shares: ReadonlyMap<string, number>
  readonly time: VirtualTime
  /** Greatest minus least attained service by weight of the accounts that wait for others, in seconds. */
  readonly spreadSeconds: number
}

/**
 * The commands of all accounts that start now: the account with the least attained service by weight is
 * served first, one command at a time, and among equals the one that was served longest ago. No account takes
 * more than its share of what all have in common while that would use up the reserve, which is for accounts
 * that submitted of late and are below their share: their next command finds room at once. `chooseAdmitted` is the order inside an account.
 */
export function chooseAdmissions(
  time: VirtualTime,
  accounts: readonly LimitedAccount[],
  limits: PassLimits,
): AdmissionPlan {
  const pass = openPass(accounts, limits)
  const tagged = pass.accounts.map((state) => taggedOf(pass, state))
  const { v, tags } = tagsOf(time, tagged)
  const { served } = time
  const starts: string[] = []
  const admissions = new Map<LimitedAccount, string[]>()
  const queue = pass.accounts
    .filter((state) => state.commands.length + state.files.length > 0)
    .map((state) => ({
      state,
      tag: tags.get(state.accountId) ?? v,
      served: served.last.get(state.accountId) ?? 0,
    }))
    .toSorted(servedFirst)
  for (;;) {
    const next = queue.shift()
    if (next === undefined) break
    const command = serve(pass, next.state)
    if (command === null) continue
    const { account } = next.state
    admissions.set(account, [...(admissions.get(account) ?? []), command.commandId])
    starts.push(account.accountId)
    const charge = (leastSeconds * vcpusOf(command)) / next.state.weight
    const queued = { state: next.state, tag: next.tag + charge }
    insert(queue, { ...queued, served: served.count + starts.length })
  }
  const waits = pass.accounts.flatMap(({ accountId, wait }): [string, SharedWait][] =>
    wait.commands === null && wait.files === null ? [] : [[accountId, wait]],
  )
  const contending = new Set(waits.map(([accountId]) => accountId))
  return {
    admissions: [...admissions].map(([account, commandIds]) => ({ account, commandIds })),
    waits: new Map(waits),
    shares: new Map(pass.accounts.map(({ accountId, vcpus }) => [accountId, vcpus.share])),
    spreadSeconds: spreadOf([...contending].map((accountId) => tags.get(accountId) ?? v)),
    time: timeAfter(time, { v, tags, accounts: tagged, contending, starts }),
  }
}

function spreadOf(tags: readonly number[]): number {
  return tags.length === 0 ? 0 : Math.max(...tags) - Math.min(...tags)
}

function taggedOf(pass: PassState, state: AccountState): Tagged {
  const { accountId, weight, account } = state
  const waits = pass.allowed(state, 'commands') ?? pass.allowed(state, 'files')
  const isServed = ({ commandId }: LimitedAccount['running'][number]): boolean =>
    pass.limits.unscheduled.stuck?.has(commandId) !== true
  const waited = Math.max(0, ...account.waiting.map(({ waitedSeconds }) => waitedSeconds))
  return {
    accountId,
    weight,
    used: account.usedVcpuSeconds,
    running: chargeOfRunning({ ...account, running: account.running.filter(isServed) }),
    waits: waits !== null,
    isStarved: account.running.length === 0 && waited >= pass.limits.passSeconds,
  }
}

/** Starts one command of the account, the oldest that fits; null if none does. */
function serve(pass: PassState, state: AccountState): WaitingCommand | null {
  const age = (lane: Lane): number => state[lane][0]?.queuedSeconds ?? -Infinity
  const lanes = age('files') > age('commands') ? fileLaneFirst : commandLaneFirst
  for (const lane of lanes) {
    for (;;) {
      const command = pass.allowed(state, lane)
      if (command === null) break
      const fit = fitBesideEarmark(pass, state, command)
      if (fit === 'fits') {
        pass.start(state, lane, command)
        return command
      }
      state.wait[lane] = fit
      const isPassed = command.waitedSeconds < pass.limits.passSeconds
      if (!isPassed && lane === 'commands' && !pass.hasCapacity(state, command)) {
        pass.earmark ??= { state, demand: pass.demandOf(command) }
      }
      state[lane] = isPassed ? state[lane].filter((other) => other !== command) : []
    }
  }
  return null
}

const commandLaneFirst = ['commands', 'files'] as const
const fileLaneFirst = ['files', 'commands'] as const

/**
 * Freed vCPUs are kept for a command that has waited `passSeconds` for vCPUs of the cluster.
 * Accounts below their share may still start commands beside it, unless its own account is below its
 * share, too: otherwise an endless series of new accounts with small commands would keep it waiting.
 */
function fitBesideEarmark(pass: PassState, state: AccountState, command: WaitingCommand): Fit {
  const fit = pass.fits(state, command)
  const { earmark } = pass
  if (fit !== 'fits' || earmark === null || earmark.state === state) return fit
  const isEntitled = isBelowShare(earmark.state.vcpus, earmark.demand)
  return isBelowShare(state.vcpus, pass.demandOf(command)) && !isEntitled ? 'fits' : 'reserved'
}

interface Queued {
  readonly state: AccountState
  readonly tag: number
  /** Same as in `Served`; 0 of an account that was not served in the term. */
  readonly served: number
}

function servedFirst(a: Queued, b: Queued): number {
  const older = b.state.oldestSeconds - a.state.oldestSeconds
  return (
    a.tag - b.tag ||
    a.served - b.served ||
    older ||
    (a.state.accountId < b.state.accountId ? -1 : 1)
  )
}

/** Into its place by binary search. */
function insert(queue: Queued[], item: Queued): void {
  let [from, to] = [0, queue.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const other = queue[middle]
    if (other !== undefined && servedFirst(other, item) < 0) from = middle + 1
    else to = middle
  }
  queue.splice(from, 0, item)
}
