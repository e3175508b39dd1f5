import { vcpusOf } from '../../common/domain/vcpus.ts'
import type { AccountInPass, AdmittedCommand } from '../../common/store/admission.ts'
import type { Placement } from './placement.ts'

/** Facts about the capacity of the cluster that passes of admission have left. */
export interface CapacityEvidence {
  /** Since when the cluster has had no node for a command or refuses it, by command and generation. */
  readonly sinceMs: ReadonlyMap<string, number>
  /** Commands that show that the cluster is full. */
  readonly witnesses: ReadonlySet<string>
  readonly fullUntilMs: number
  /** Most vCPUs that had a node at a time while the cluster was full. */
  readonly mostVcpus: number
  /** Until when an account has one command out at a time, as the cluster refuses or refused one of it. */
  readonly orderUntilMs: ReadonlyMap<string, number>
}

export const noEvidence: CapacityEvidence = {
  sinceMs: new Map(),
  witnesses: new Set(),
  fullUntilMs: -Infinity,
  mostVcpus: 0,
  orderUntilMs: new Map(),
}

/** Admitted command without a node. */
export interface Unplaced {
  readonly command: AdmittedCommand
  /** null: nothing is known yet */
  readonly sinceMs: number | null
  /** How long the cluster has had no node for it, or refuses it; null: not yet. */
  readonly knownMs: number | null
  readonly isRefused: boolean
  readonly words: string
}

/** Placements of all admitted commands in one pass. */
export interface Observation {
  readonly nowMs: number
  /** vCPUs of the commands that have a node. */
  readonly placedVcpus: number
  readonly accounts: readonly {
    readonly accountId: string
    /** Longest in the order of admission first. */
    readonly unplaced: readonly Unplaced[]
  }[]
}

export type ObservedAccount = Pick<AccountInPass<AdmittedCommand>, 'accountId' | 'running'>

const ms = {
  /** A pod that is Unschedulable longer than this shows that the cluster is full. */
  full: 5_000,
  /** The cluster is taken to be full, or to refuse, for this long after the last such pod has its node. */
  remembered: 60_000,
  /** A pod that waits longer fits nowhere, and the cluster is not full. */
  stuck: 60_000,
} as const

export function observe(
  { sinceMs }: CapacityEvidence,
  accounts: readonly ObservedAccount[],
  placementOf: (command: AdmittedCommand) => Placement,
  nowMs: number,
): Observation {
  let placedVcpus = 0
  const unplacedOf = (command: AdmittedCommand): Unplaced[] => {
    const placement = placementOf(command)
    if (placement.kind === 'placed') {
      placedVcpus += vcpusOf(command)
      return []
    }
    if (placement.kind === 'starting') return [{ command, ...notKnown }]
    const beganMs = sinceMs.get(keyOf(command)) ?? nowMs
    const isRefused = placement.kind === 'refused'
    const isShown = isRefused || nowMs - beganMs >= ms.full
    const knownMs = isShown ? nowMs - beganMs : null
    return [{ command, sinceMs: beganMs, knownMs, isRefused, words: placement.words }]
  }
  const found = accounts.map(({ accountId, running }) => ({
    accountId,
    unplaced: running
      .filter(({ isEnding }) => !isEnding)
      .flatMap(unplacedOf)
      .toSorted(longestFirst),
  }))
  return { nowMs, placedVcpus, accounts: found }
}

const notKnown = { sinceMs: null, knownMs: null, isRefused: false, words: '' } as const

/** @param passSeconds time in which no later command of an account passes a refused one */
export function evidenceAfter(
  before: CapacityEvidence,
  seen: Observation,
  passSeconds: number,
): CapacityEvidence {
  const all = unplacedIn(seen)
  const known = all.filter((each) => isKnown(each) && !each.isRefused)
  const witnesses = new Set(known.filter((each) => !isStuck(each)).map(keyOfUnplaced))
  const fullUntilMs = witnesses.size > 0 ? seen.nowMs + ms.remembered : fullAfter(before, known)
  return {
    sinceMs: new Map(
      all.flatMap((each) => (each.sinceMs === null ? [] : [[keyOf(each.command), each.sinceMs]])),
    ),
    witnesses,
    fullUntilMs,
    mostVcpus: seen.nowMs < fullUntilMs ? Math.max(before.mostVcpus, seen.placedVcpus) : 0,
    orderUntilMs: orderAfter(before.orderUntilMs, seen, passSeconds),
  }
}

/** A stuck command proves nothing any more, and what it seemed to prove is void. */
function fullAfter(
  { witnesses, fullUntilMs }: CapacityEvidence,
  known: readonly Unplaced[],
): number {
  const stuck = new Set(known.filter(isStuck).map(keyOfUnplaced))
  const isVoid = witnesses.size > 0 && [...witnesses].every((key) => stuck.has(key))
  return isVoid ? -Infinity : fullUntilMs
}

/** Several that start at once would race for what becomes free, so the order is kept for a minute after the last refusal. */
function orderAfter(
  before: ReadonlyMap<string, number>,
  { accounts, nowMs }: Observation,
  passSeconds: number,
): Map<string, number> {
  const orderUntilMs = new Map([...before].filter(([, untilMs]) => untilMs > nowMs))
  for (const { accountId, unplaced } of accounts) {
    const refused = unplaced.filter(({ isRefused }) => isRefused)
    const longest = Math.max(0, ...refused.map(({ knownMs }) => knownMs ?? 0))
    // One that is refused for longer may be the only one that is, and the others must pass it.
    if (longest >= 1_000 * passSeconds) orderUntilMs.delete(accountId)
    else if (refused.length > 0) orderUntilMs.set(accountId, nowMs + ms.remembered)
  }
  return orderUntilMs
}

export function unplacedIn({ accounts }: Observation): Unplaced[] {
  return accounts.flatMap(({ unplaced }) => unplaced)
}

export function isKnown({ knownMs }: Unplaced): boolean {
  return knownMs !== null
}

export function isStuck({ knownMs }: Unplaced): boolean {
  return knownMs !== null && knownMs >= ms.stuck
}

function keyOfUnplaced({ command }: Unplaced): string {
  return keyOf(command)
}

function keyOf({ commandId, jobGeneration }: AdmittedCommand): string {
  return `${commandId}/${jobGeneration}`
}

/** The order of admission; ids of commands begin with their time. */
function longestFirst({ command: one }: Unplaced, { command: other }: Unplaced): number {
  const longer = Math.round(other.runningSeconds - one.runningSeconds)
  return longer || (one.commandId < other.commandId ? -1 : 1)
}
