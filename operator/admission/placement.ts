import type { AdmittedCommand } from '../../common/store/admission.ts'
import type { Caches } from '../observe/caches.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { Reason } from '../status/reason.ts'
import { podlessSeconds } from '../status/start-reason.ts'

/**
 * How far the cluster has placed an admitted command: `placed`: a node has or had its pod; `starting`: nothing is known
 * yet; `unplaced`: the scheduler finds no node, or the Job has no pod and nothing says why; `refused`: the API server takes
 * neither its Job nor the Job's pod.
 */
export type Placement =
  | { readonly kind: 'placed' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'unplaced' | 'refused'; readonly words: string }

export interface PlacementDeps {
  readonly caches: Pick<Caches, 'podsOf' | 'jobsOf'>
  /** The last refusal of the Job of this generation. */
  readonly refusalOf: (commandId: string, jobGeneration: number) => Reason | null
  readonly secondsWithoutPod: (commandId: string) => number
  /** Why the Job has no pod, as far as it was read. */
  readonly podRefusalOf: (job: JobFacts) => string | null
}

const starting = { kind: 'starting' } as const

export function placementOf(
  { caches, ...deps }: PlacementDeps,
  { commandId, jobGeneration }: AdmittedCommand,
): Placement {
  const pods = caches.podsOf(commandId)
  if (pods.some(({ node }) => node !== null)) return { kind: 'placed' }
  const living = pods.filter((pod) => !isTerminal(pod))
  const words = living.flatMap(({ unschedulable }) => unschedulable ?? [])[0]
  if (words !== undefined) return { kind: 'unplaced', words }
  if (living.length > 0) return starting
  const job = caches.jobsOf(commandId).find((each) => each.jobGeneration === jobGeneration)
  if (job !== undefined) {
    if (deps.secondsWithoutPod(commandId) < podlessSeconds) return starting
    const refusal = deps.podRefusalOf(job)
    return refusal === null
      ? { kind: 'unplaced', words: 'its Job has no pod' }
      : { kind: 'refused', words: refusal }
  }
  const refusal = deps.refusalOf(commandId, jobGeneration)
  return refusal === null ? starting : { kind: 'refused', words: refusal.message }
}
