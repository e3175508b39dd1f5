import { parseConditions } from '../../common/kubernetes/resources/conditions.ts'
import { parseMetadata } from '../../common/kubernetes/resources/metadata.ts'
import { createResource } from '../../common/kubernetes/resources/resource.ts'
import {
  listIn,
  objectIn,
  objectOf,
  optionalTextIn,
  textIn,
} from '../../common/kubernetes/read-json.ts'
import type { KubeClient } from '../../common/kubernetes/client.ts'
import type { Condition } from '../../common/kubernetes/resources/objects.ts'
import type { KubeObject, Resource } from '../../common/kubernetes/resources/resource.ts'

/** Kueue's object for a Job, as far as it says what the Job waits for. */
export interface Workload extends KubeObject {
  readonly conditions: readonly Condition[]
  /** Checks of its ClusterQueue; they come after the quota. */
  readonly admissionChecks: readonly AdmissionCheck[]
}

export interface AdmissionCheck {
  readonly name: string
  /** Pending, Ready, Retry or Rejected. */
  readonly state: string
  readonly message: string | null
}

/** Kueue gives it to the Workload of each Job. */
export const jobUidLabel = 'kueue.x-k8s.io/job-uid'

/** Kueue serves v1beta2 since 0.15, and has stopped serving v1beta1 with 0.20. */
export function createWorkloads(client: KubeClient): Resource<Workload> {
  const names = { kind: 'Workload', plural: 'workloads', apiPath: '/apis/kueue.x-k8s.io/v1beta2' }
  return createResource(client, { ...names, parse: parseWorkload })
}

/** @throws UnexpectedShape */
function parseWorkload(raw: unknown): Workload {
  const status = objectIn(objectOf(raw, 'Workload'), 'status')
  return {
    metadata: parseMetadata(raw),
    conditions: parseConditions(status),
    admissionChecks: listIn(status, 'admissionChecks').map((each) => {
      const check = objectOf(each, 'admissionChecks entry')
      return {
        name: textIn(check, 'name'),
        state: textIn(check, 'state'),
        message: optionalTextIn(check, 'message'),
      }
    }),
  }
}
