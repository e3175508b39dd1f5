import type { Place } from '../machinery/reflector/watched-objects.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { isAlive } from './pool.ts'
import type { WarmRunnerOffer } from './warm-runner-waiters.ts'

/** A pod that a command can be bound to now. */
export interface UsableOffer {
  readonly offer: WarmRunnerOffer
  readonly job: JobFacts
  readonly pod: PodFacts
  /** Since the kubelet has counted the pod's deadline, if it has one. */
  readonly runsSeconds: number
}

export interface OfferRules {
  readonly poolHash: string
  readonly maxAgeSeconds: number
  /** Nodes that have refused a pod the size of its command of late. */
  readonly isNodeFull: (node: string) => boolean
}

/** Offers of pods that wait, checked against the cluster; any doubt means a Job for the command. */
export function usableOffers(
  offers: readonly WarmRunnerOffer[],
  caches: {
    podByUid(podUid: string): PodFacts | null
    isGone(podUid: string): boolean
    warmRunnerPodsOf(jobUid: string): PodFacts[]
    readonly jobs: { get(place: Place): JobFacts | null }
  },
  rules: OfferRules,
): UsableOffer[] {
  const usable = offers.flatMap((offer): UsableOffer[] => {
    const pod = caches.isGone(offer.podUid) ? null : caches.podByUid(offer.podUid)
    const owner = pod?.warmRunner?.job ?? null
    if (pod === null || owner === null) return []
    const job = caches.jobs.get({ namespace: pod.metadata.namespace, name: owner.name })
    if (job === null || job.metadata.uid !== owner.uid) return []
    const startSeconds = pod.warmRunner?.startSeconds ?? null
    if (startSeconds === null) return []
    const runsSeconds = startSeconds + offer.waitedSeconds
    const isAlone = caches.warmRunnerPodsOf(job.metadata.uid).length === 1
    const isYoung = runsSeconds < rules.maxAgeSeconds
    return isAlone && isYoung && isFit(job, pod, rules) ? [{ offer, job, pod, runsSeconds }] : []
  })
  return inOrder(usable)
}

function isFit(job: JobFacts, pod: PodFacts, { poolHash, isNodeFull }: OfferRules): boolean {
  const isUnbound = job.commandId === null && job.ownerUid === null && pod.commandId === null
  const isWell = pod.deletion === null && pod.disruption === null && !isTerminal(pod)
  return (
    isUnbound &&
    isWell &&
    isAlive(job) &&
    job.warmRunner?.poolHash === poolHash &&
    pod.phase === 'Running' &&
    pod.warmRunner?.isResizable === true &&
    pod.node !== null &&
    !isNodeFull(pod.node)
  )
}

/** Begins with the node that has most of them, so that the rest is spread; the oldest first. */
function inOrder(usable: readonly UsableOffer[]): UsableOffer[] {
  const onNode = new Map<string | null, number>()
  for (const { pod } of usable) onNode.set(pod.node, (onNode.get(pod.node) ?? 0) + 1)
  const count = ({ pod }: UsableOffer): number => onNode.get(pod.node) ?? 0
  return usable.toSorted((a, b) => count(b) - count(a) || b.runsSeconds - a.runsSeconds)
}
