import type { PodFacts } from '../observe/pod-facts.ts'
import type { LossReason } from './loss.ts'

/** Meaning of an eviction: the runner filled its own disk, or its attempt was lost. */
export type Eviction = 'DiskFull' | Extract<LossReason, `NodePressure${string}` | 'Evicted'>

/**
 * Reads the kubelet's message; the sentences are those of `pkg/kubelet/eviction/helpers.go`, the same
 * from Kubernetes 1.33 to 1.36. A node that is short of something also evicts pods that keep within
 * their limits; one that took more than it requested is part of the cause.
 * @returns null for a pod that was not evicted by its kubelet
 */
export function evictionOf({
  reason,
  message,
  disruption,
}: Pick<PodFacts, 'reason' | 'message' | 'disruption'>): Eviction | null {
  if (reason !== 'Evicted') return null
  if (disruption === 'TerminationByKubelet' || message.includes('The node was low on resource')) {
    return aboveRequest.test(message) ? 'NodePressureAboveRequest' : 'NodePressure'
  }
  // Another cause had begun to end the pod: the evidence for a verdict on the command is
  // incomplete.
  if (disruption !== null) return null
  return ownLimit.test(message) ? 'DiskFull' : 'Evicted'
}

const aboveRequest = /Container (?:transfer|ffmpeg) was using /

/** Limit of a volume, of the whole pod, of one container's log. */
const ownLimit = /exceeds the (?:total )?limit|exceeded its local ephemeral storage limit/
