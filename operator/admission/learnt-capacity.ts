import { vcpusOf } from '../../common/domain/vcpus.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { AccountInRound } from '../../common/store/admission.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import type { RoundLimits } from './round.ts'

/** What the pods of admitted commands show about the capacity of the cluster. */
export interface LearntCapacity {
  /** Called once a round. */
  observe(
    accounts: readonly Pick<AccountInRound, 'accountId' | 'running'>[],
  ): Pick<RoundLimits, 'capacityVcpus' | 'unscheduled'>
}

const ms = {
  /** A pod that is Unschedulable longer than this shows that the cluster is full. */
  full: 5_000,
  /** The cluster is taken to be full for this long after the last such pod. */
  remembered: 60_000,
} as const

/**
 * Pods of an account without a node. The small limit keeps the backlog out of the scheduler's FIFO while
 * the cluster is full; the large one bounds what is sent there before that is known.
 */
const unscheduledLimits = { full: 2, unknown: 64 } as const

/**
 * While some runner pod is Unschedulable, the capacity is the most vCPUs that had a node at a time;
 * otherwise it is unknown and limits nothing.
 */
export function createLearntCapacity(deps: {
  readonly podsOf: (commandId: string) => readonly PodFacts[]
  readonly clock: Clock
}): LearntCapacity {
  let unschedulableSince = new Map<string, number>()
  let fullUntilMs = -Infinity
  let mostVcpus = 0
  return {
    observe(accounts) {
      const nowMs = deps.clock.monotonicMs()
      const unscheduled = new Map<string, number>()
      const since = new Map<string, number>()
      let vcpus = 0
      for (const { accountId, running } of accounts) {
        for (const command of running) {
          const pods = deps.podsOf(command.commandId)
          if (pods.some(({ node }) => node !== null)) {
            vcpus += vcpusOf(command)
            continue
          }
          unscheduled.set(accountId, (unscheduled.get(accountId) ?? 0) + 1)
          for (const { metadata } of pods.filter(isUnschedulable)) {
            since.set(metadata.uid, unschedulableSince.get(metadata.uid) ?? nowMs)
          }
        }
      }
      unschedulableSince = since
      if ([...since.values()].some((beganMs) => nowMs - beganMs >= ms.full)) {
        fullUntilMs = nowMs + ms.remembered
      }
      const isFull = nowMs < fullUntilMs
      mostVcpus = isFull ? Math.max(mostVcpus, vcpus) : 0
      return {
        // Without any vCPU that had a node nothing is known: the first pods may wait for the first node.
        capacityVcpus: isFull && mostVcpus > 0 ? mostVcpus : null,
        unscheduled: {
          limit: isFull ? unscheduledLimits.full : unscheduledLimits.unknown,
          of: unscheduled,
        },
      }
    },
  }
}

/** Used if another controller decides what fits the cluster. */
export const unlimitedCapacity: LearntCapacity = {
  observe: () => ({ capacityVcpus: null, unscheduled: { limit: Infinity, of: new Map() } }),
}

function isUnschedulable(pod: PodFacts): boolean {
  return pod.unschedulable !== null && !isTerminal(pod)
}
