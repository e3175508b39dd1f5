import type { Condition, ObjectMeta } from '../../common/kubernetes/resources/objects.ts'
import type { PodStart } from '../../common/store/attempts.ts'

/**
 * Until a node took the pod, and until the node had its sandbox: the pull of the image begins then. Durations
 * between times of Kubernetes, which cuts them to whole seconds: its clocks and ours may differ.
 */
export function podStart(
  { creationTimestamp }: Pick<ObjectMeta, 'creationTimestamp'>,
  conditions: readonly Condition[],
): PodStart | null {
  const created = Date.parse(creationTimestamp ?? '')
  const until = (type: string): number | null => {
    const found = conditions.find((condition) => condition.type === type)
    if (found?.status !== 'True' || found.lastTransitionTime === null) return null
    const seconds = (Date.parse(found.lastTransitionTime) - created) / 1_000
    return Number.isNaN(seconds) ? null : Math.max(0, seconds)
  }
  const nodeSeconds = until('PodScheduled')
  if (nodeSeconds === null) return null
  return { nodeSeconds, sandboxSeconds: until('PodReadyToStartContainers') }
}
