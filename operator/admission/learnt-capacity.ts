import { vcpusOf } from '../../common/domain/vcpus.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { AccountInPass, AdmittedCommand } from '../../common/store/admission.ts'
import type { PassLimits } from './pass.ts'
import type { Placement } from './placement.ts'

/** What admitted commands show about the capacity of the cluster. */
export interface LearntCapacity {
  /** Called once a pass. */
  observe(accounts: readonly ObservedAccount[]): Learnt
}

type ObservedAccount = Pick<AccountInPass<AdmittedCommand>, 'accountId' | 'running'>

export interface Learnt extends Pick<PassLimits, 'capacityVcpus' | 'unscheduled'> {
  /** vCPUs of the stuck commands, which count for none of the others. */
  readonly stuckVcpus: number
  /** Commands beyond what their account may have out without a node: they return to its queue. */
  readonly surplus: readonly AdmittedCommand[]
  /** What the cluster says about the first unplaced command, by account. */
  readonly words: ReadonlyMap<string, string>
}

export interface LearntCapacityDeps {
  readonly placementOf: (command: AdmittedCommand) => Placement
  readonly clock: Clock
  /** Pods of an account that may be without a node while the cluster has none for them. */
  readonly unplacedPods: number
  /** Time in which an account sends no other command while one of its commands is refused. */
  readonly passSeconds: number
}

const ms = {
  /** A pod that is Unschedulable longer than this shows that the cluster is full. */
  full: 5_000,
  /** The cluster is taken to be full, or to refuse, for this long after the last such pod has its node. */
  remembered: 60_000,
  /** From then on it is the pod that fits nowhere, and not the cluster that is full. */
  stuck: 60_000,
} as const

/** Bounds what is sent to the scheduler before anything is known. */
const mostUnknown = 64
/** While one is refused, no later command of its account may take the room that it waits for. */
const mostBesideRefused = 1

interface Unplaced {
  readonly command: AdmittedCommand
  /** How long the cluster has had no node for it, or refuses it; null: not yet. */
  readonly knownMs: number | null
  readonly isRefused: boolean
  readonly words: string
}

/**
 * While some runner pod is Unschedulable, the capacity is the most vCPUs that had a node at a time;
 * otherwise it is unknown and limits nothing.
 */
export function createLearntCapacity(deps: LearntCapacityDeps): LearntCapacity {
  const { clock, placementOf } = deps
  let knownSince = new Map<string, number>()
  let witnesses = new Set<string>()
  /** Until when an account has one command out at a time, as the cluster refuses or refused one of it. */
  const orderUntilMs = new Map<string, number>()
  let fullUntilMs = -Infinity
  let mostVcpus = 0
  return {
    observe(accounts) {
      const nowMs = clock.monotonicMs()
      const since = new Map<string, number>()
      let vcpus = 0
      const unplacedOf = (running: readonly AdmittedCommand[]): Unplaced[] =>
        running.flatMap((command) => {
          const placement = placementOf(command)
          if (placement.kind === 'placed') {
            vcpus += vcpusOf(command)
            return []
          }
          if (placement.kind === 'starting') return [{ command, ...notKnown }]
          const beganMs = knownSince.get(keyOf(command)) ?? nowMs
          since.set(keyOf(command), beganMs)
          const isRefused = placement.kind === 'refused'
          const isKnown = isRefused || nowMs - beganMs >= ms.full
          const knownMs = isKnown ? nowMs - beganMs : null
          return [{ command, knownMs, isRefused, words: placement.words }]
        })
      const found = accounts.map(({ accountId, running }) => ({
        accountId,
        unplaced: unplacedOf(running.filter(waitsForNode)).toSorted(longestFirst),
      }))
      knownSince = since
      const all = found.flatMap(({ unplaced }) => unplaced)
      const stuck = all.filter(isStuck).map(({ command }) => command)
      noteWitnesses(all, nowMs)
      const isFull = nowMs < fullUntilMs
      mostVcpus = isFull ? Math.max(mostVcpus, vcpus) : 0
      noteRefused(found, nowMs)
      const limits = new Map(
        found
          .filter(
            ({ accountId, unplaced }) => unplaced.some(isKnown) || orderUntilMs.has(accountId),
          )
          .map(({ accountId }) => [
            accountId,
            orderUntilMs.has(accountId) ? mostBesideRefused : deps.unplacedPods,
          ]),
      )
      return {
        // Without any vCPU that had a node nothing is known: the first pods may wait for the first node.
        capacityVcpus: isFull && mostVcpus > 0 ? mostVcpus : null,
        unscheduled: {
          limit: isFull ? deps.unplacedPods : mostUnknown,
          limits,
          of: new Map(
            found
              .filter(({ unplaced }) => unplaced.length > 0)
              .map(({ accountId, unplaced }) => [accountId, unplaced.length]),
          ),
          stuck: new Set(stuck.map(({ commandId }) => commandId)),
        },
        stuckVcpus: stuck.reduce((sum, command) => sum + vcpusOf(command), 0),
        surplus: found.flatMap(({ accountId, unplaced }) =>
          unplaced
            .slice(limits.get(accountId) ?? Infinity)
            .filter((each) => isKnown(each) && each.command.isNew)
            .map(({ command }) => command),
        ),
        words: new Map(
          found.flatMap(({ accountId, unplaced }): [string, string][] => {
            const first = unplaced.find(isKnown)
            return first === undefined ? [] : [[accountId, first.words]]
          }),
        ),
      }
    },
  }

  /** One that is stuck proves nothing any more, and what it seemed to prove is void. */
  function noteWitnesses(all: readonly Unplaced[], nowMs: number): void {
    const known = all.filter((each) => isKnown(each) && !each.isRefused)
    const present = new Set(
      known.filter((each) => !isStuck(each)).map(({ command }) => keyOf(command)),
    )
    const stuck = new Set(known.filter(isStuck).map(({ command }) => keyOf(command)))
    if (present.size > 0) fullUntilMs = nowMs + ms.remembered
    else if (witnesses.size > 0 && [...witnesses].every((key) => stuck.has(key))) {
      fullUntilMs = -Infinity
    }
    witnesses = present
  }

  /** Several that start at once would race for what becomes free, so the order is kept for a minute after the last refusal. */
  function noteRefused(
    found: readonly { readonly accountId: string; readonly unplaced: readonly Unplaced[] }[],
    nowMs: number,
  ): void {
    for (const [accountId, untilMs] of orderUntilMs) {
      if (untilMs <= nowMs) orderUntilMs.delete(accountId)
    }
    for (const { accountId, unplaced } of found) {
      const refused = unplaced.filter(({ isRefused }) => isRefused)
      const longest = Math.max(0, ...refused.map(({ knownMs }) => knownMs ?? 0))
      // One that is refused for longer may be the only one that is, and the others must pass it.
      if (longest >= 1_000 * deps.passSeconds) orderUntilMs.delete(accountId)
      else if (refused.length > 0) orderUntilMs.set(accountId, nowMs + ms.remembered)
    }
  }
}

const notKnown = { knownMs: null, isRefused: false, words: '' } as const

function keyOf({ commandId, jobGeneration }: AdmittedCommand): string {
  return `${commandId}/${jobGeneration}`
}

function waitsForNode({ isEnding }: AdmittedCommand): boolean {
  return !isEnding
}

function isKnown({ knownMs }: Unplaced): boolean {
  return knownMs !== null
}

function isStuck({ knownMs }: Unplaced): boolean {
  return knownMs !== null && knownMs >= ms.stuck
}

/** The order of admission; ids of commands begin with their time. */
function longestFirst({ command: one }: Unplaced, { command: other }: Unplaced): number {
  const longer = Math.round(other.runningSeconds - one.runningSeconds)
  return longer || (one.commandId < other.commandId ? -1 : 1)
}

/** Used if another controller decides what fits the cluster. */
export const unlimitedCapacity: LearntCapacity = {
  observe: () => ({
    capacityVcpus: null,
    unscheduled: { limit: Infinity, of: new Map() },
    stuckVcpus: 0,
    surplus: [],
    words: new Map(),
  }),
}
