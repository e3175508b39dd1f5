import { objectIn } from '../../../common/kubernetes/read-json.ts'
import { defaultFlavor } from '../../../e2e/kueue-contract/flavor.ts'
import type { FakeObject } from '../kube-apiserver/objects/fake-object.ts'

/**
 * What another than Kueue did to a Job of its queues; null where it did all. The flavor is there from
 * the moment in which Kueue resumes a Job until it suspends it again.
 */
export function queuedJobProblem(
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  { metadata, spec }: FakeObject,
): string | null {
  const isSuspended = spec?.['suspend'] === true
  if (type === 'ADDED' && !isSuspended) return `${metadata.name} does not wait for Kueue`
  const pod = objectIn(objectIn(spec ?? {}, 'template'), 'spec')
  const hasFlavor = Object.entries(defaultFlavor.nodeSelector).every(
    ([label, value]) => objectIn(pod, 'nodeSelector')[label] === value,
  )
  if (hasFlavor !== isSuspended) return null
  return `${metadata.name} was ${isSuspended ? 'suspended' : 'resumed'} by another than Kueue`
}
