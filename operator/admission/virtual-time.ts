import { vcpusOf } from '../../common/domain/vcpus.ts'
import type { AccountInPass } from '../../common/store/admission.ts'

/**
 * Start-time fair queueing by what was used: an account's tag is its vCPU-seconds divided by its weight,
 * and the least tag is served first. Virtual time `v` is the least tag of the accounts that wait, so an
 * account that begins to wait begins there: idle time earns nothing.
 *
 * Tags are compared within a term only. What ended before the term, or before the account was first
 * seen in it, does not count: by the use of its whole life, a new account would get all vCPUs for
 * hours.
 */
export interface VirtualTime {
  readonly v: number
  /** Accounts whose tag is ahead of `v` or that wait or run. */
  readonly accounts: ReadonlyMap<string, Standing>
  /** Accounts that waited for others when the last pass ended. */
  readonly contending: ReadonlySet<string>
  readonly served: Served
}

/** Which account was served when: of two with equal tags, the one that was served longer ago comes first. */
export interface Served {
  /** Commands that were started in the term. */
  readonly count: number
  /** The count after the account's last start, of accounts that were served not long ago. */
  readonly last: ReadonlyMap<string, number>
}

export interface Standing {
  readonly weight: number
  /** Addition to the account's use by weight. */
  readonly lift: number
  readonly tag: number
}

export const beginningOfTime: VirtualTime = {
  v: 0,
  accounts: new Map(),
  contending: new Set(),
  served: { count: 0, last: new Map() },
}

/** More than there are Jobs, so that an account is remembered while others have a turn. */
const rememberedStarts = 4_096

/** @param starts accounts in the order in which their commands started */
export function servedAfter({ count, last }: Served, starts: readonly string[]): Served {
  if (starts.length === 0) return { count, last }
  const now = count + starts.length
  const kept = [...last].filter(([, at]) => now - at < rememberedStarts)
  const started = starts.map((accountId, index): [string, number] => [accountId, count + index + 1])
  return { count: now, last: new Map([...kept, ...started]) }
}

/** An account with the facts that its tag is made of. */
export interface Tagged {
  readonly accountId: string
  readonly weight: number
  /** vCPU-seconds of what has ended, and of what runs. */
  readonly used: number
  readonly running: number
  /** The account has a command that its own limits let start. */
  readonly waits: boolean
  /** The account runs nothing, and its oldest command has waited for `passSeconds`. */
  readonly isStarved: boolean
}

/** A command is charged this long from its start, so that many short ones cost something at once. */
export const leastSeconds = 10

/** vCPU-seconds of the account's running commands. */
export function chargeOfRunning({ running }: Pick<AccountInPass, 'running'>): number {
  return running.reduce(
    (sum, command) => sum + vcpusOf(command) * Math.max(leastSeconds, command.runningSeconds),
    0,
  )
}

/** Tags at the beginning of a pass, and virtual time then. */
export function tagsOf(
  time: VirtualTime,
  accounts: readonly Tagged[],
): { v: number; tags: Map<string, number> } {
  const waiting = accounts.filter(({ waits }) => waits)
  const known = (account: Tagged): number | null => {
    const standing = time.accounts.get(account.accountId)
    if (standing === undefined || standing.weight !== account.weight) return null
    return rawTag(account) + standing.lift
  }
  const stayed = waiting.filter(({ accountId }) => time.contending.has(accountId))
  const reached = Math.max(time.v, least(stayed.flatMap((account) => known(account) ?? [])))
  const tags = new Map<string, number>()
  for (const account of accounts) {
    const tag = known(account) ?? reached + account.running / account.weight
    const begins = account.waits && !time.contending.has(account.accountId)
    tags.set(account.accountId, begins ? Math.max(tag, reached) : tag)
  }
  const v = Math.max(reached, least(waiting.map(({ accountId }) => tags.get(accountId) ?? 0)))
  // The account's debt would otherwise keep it waiting for as long as new accounts arrive, which begin at `v`.
  for (const { accountId } of waiting.filter(({ isStarved }) => isStarved)) {
    tags.set(accountId, Math.min(tags.get(accountId) ?? v, v))
  }
  return { v, tags }
}

/**
 * Virtual time after a pass. Where no account waits for another, time reaches the largest tag: what was
 * used while all had enough does not count as a debt.
 * @param tags at the beginning of the pass
 */
export function timeAfter(
  time: VirtualTime,
  pass: {
    readonly v: number
    readonly tags: ReadonlyMap<string, number>
    readonly accounts: readonly Tagged[]
    readonly contending: ReadonlySet<string>
    /** Accounts in the order in which their commands started. */
    readonly starts: readonly string[]
  },
): VirtualTime {
  const { tags, contending } = pass
  const v = contending.size > 0 ? pass.v : Math.max(pass.v, ...tags.values())
  const present = pass.accounts.map((account): [string, Standing] => {
    const tag = tags.get(account.accountId) ?? v
    return [account.accountId, { weight: account.weight, lift: tag - rawTag(account), tag }]
  })
  const ahead = [...time.accounts].filter(([id, { tag }]) => !tags.has(id) && tag > v)
  const served = servedAfter(time.served, pass.starts)
  return { v, accounts: new Map([...ahead, ...present]), contending, served }
}

function rawTag({ used, running, weight }: Tagged): number {
  return (used + running) / weight
}

/** @returns -Infinity where there is none, which changes no maximum */
function least(tags: readonly number[]): number {
  return tags.length === 0 ? -Infinity : tags.reduce((a, b) => Math.min(a, b))
}
