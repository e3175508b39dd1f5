import { vcpusOf } from '../../common/domain/vcpus.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { AdmittedCommand } from '../../common/store/admission.ts'
import {
  evidenceAfter,
  isKnown,
  isStuck,
  noEvidence,
  observe,
  unplacedIn,
} from './capacity-evidence.ts'
import type { CapacityEvidence, Observation, ObservedAccount } from './capacity-evidence.ts'
import type { PassLimits } from './pass.ts'
import type { Placement } from './placement.ts'

/** Capacity of the cluster, as the placement of admitted commands shows it. */
export interface LearntCapacity {
  /** Called once a pass. */
  observe(accounts: readonly ObservedAccount[]): Learnt
}

export interface Learnt extends Pick<PassLimits, 'capacityVcpus' | 'unscheduled'> {
  /** vCPUs of the stuck commands, which count for none of the others. */
  readonly stuckVcpus: number
  /** Commands beyond what their account may have out without a node: they return to its queue. */
  readonly surplus: readonly AdmittedCommand[]
  /** Message of the cluster about the first unplaced command, by account. */
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

/** Bounds what is sent to the scheduler before anything is known. */
const mostUnknown = 64
/** While one is refused, no later command of its account may take the room that it waits for. */
const mostBesideRefused = 1

/**
 * While some runner pod is Unschedulable, the capacity is the most vCPUs that had a node at a time;
 * otherwise it is unknown and limits nothing.
 */
export function createLearntCapacity(deps: LearntCapacityDeps): LearntCapacity {
  const { clock, placementOf, passSeconds, unplacedPods } = deps
  let evidence = noEvidence
  return {
    observe(accounts) {
      const seen = observe(evidence, accounts, placementOf, clock.monotonicMs())
      evidence = evidenceAfter(evidence, seen, passSeconds)
      return learntFrom(evidence, seen, unplacedPods)
    },
  }
}

function learntFrom(
  { fullUntilMs, mostVcpus, orderUntilMs }: CapacityEvidence,
  seen: Observation,
  unplacedPods: number,
): Learnt {
  const { accounts, nowMs } = seen
  const stuck = unplacedIn(seen)
    .filter(isStuck)
    .map(({ command }) => command)
  const isFull = nowMs < fullUntilMs
  const limits = new Map(
    accounts
      .filter(({ accountId, unplaced }) => unplaced.some(isKnown) || orderUntilMs.has(accountId))
      .map(({ accountId }) => [
        accountId,
        orderUntilMs.has(accountId) ? mostBesideRefused : unplacedPods,
      ]),
  )
  const waiting = accounts.filter(({ unplaced }) => unplaced.length > 0)
  return {
    // Without any vCPU that had a node nothing is known: the first pods may wait for the first node.
    capacityVcpus: isFull && mostVcpus > 0 ? mostVcpus : null,
    unscheduled: {
      limit: isFull ? unplacedPods : mostUnknown,
      limits,
      of: new Map(waiting.map(({ accountId, unplaced }) => [accountId, unplaced.length])),
      stuck: new Set(stuck.map(({ commandId }) => commandId)),
    },
    stuckVcpus: stuck.reduce((sum, command) => sum + vcpusOf(command), 0),
    surplus: waiting.flatMap(({ accountId, unplaced }) =>
      unplaced
        .slice(limits.get(accountId) ?? Infinity)
        .filter((each) => isKnown(each) && each.command.isNew)
        .map(({ command }) => command),
    ),
    words: new Map(
      waiting.flatMap(({ accountId, unplaced }): [string, string][] => {
        const first = unplaced.find(isKnown)
        return first === undefined ? [] : [[accountId, first.words]]
      }),
    ),
  }
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
