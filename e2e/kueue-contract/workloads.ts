import { createOrFind } from '../../common/kubernetes/resources/create-or-find.ts'
import { parseMetadata } from '../../common/kubernetes/resources/metadata.ts'
import { createResource } from '../../common/kubernetes/resources/resource.ts'
import type { KubeClient } from '../../common/kubernetes/client.ts'
import type { ObjectMeta } from '../../common/kubernetes/resources/objects.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { KueueJob } from './kueue-job.ts'

/** As much of Kueue's own as the contract writes. */
export const workloadDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'workloads.kueue.x-k8s.io' },
  spec: {
    group: 'kueue.x-k8s.io',
    scope: 'Namespaced',
    names: { kind: 'Workload', plural: 'workloads', singular: 'workload' },
    versions: [
      {
        name: 'v1beta2',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
}

/** Workloads of Jobs that have waited; Kueue has one of each Job. */
export interface Workloads {
  /** Writes what has changed: why the Job waits, or null after it was resumed. */
  show(job: KueueJob, waits: string | null): Promise<void>
}

export function createContractWorkloads(
  client: KubeClient,
  { namespace, clock }: { namespace: string; clock: Clock },
): Workloads {
  const workloads = createResource<{ metadata: ObjectMeta }>(client, {
    kind: 'Workload',
    plural: 'workloads',
    apiPath: '/apis/kueue.x-k8s.io/v1beta2',
    parse: (raw) => ({ metadata: parseMetadata(raw) }),
  })
  /** By the uid of the Job. */
  const shown = new Map<string, string | null>()
  return {
    async show(job, waits) {
      const { name, uid } = job.metadata
      const before = shown.get(uid)
      if (before === waits || (before === undefined && waits === null)) return
      const { object } = await createOrFind(workloads, namespace, workloadOf(job))
      const { resourceVersion } = object.metadata
      const target = { namespace, name: workloadName(name), resourceVersion }
      await workloads.mergePatchStatus(target, { conditions: [quotaReserved(waits)] })
      shown.set(uid, waits)
    },
  }

  function quotaReserved(waits: string | null): object {
    return {
      type: 'QuotaReserved',
      lastTransitionTime: clock.wall().toISOString(),
      ...(waits === null
        ? { status: 'True', reason: 'QuotaReserved', message: 'Quota reserved in ClusterQueue' }
        : { status: 'False', reason: 'Pending', message: `${unassigned}: ${waits}` }),
    }
  }
}

const unassigned = "couldn't assign flavors to pod set main"

/** Kubernetes deletes it with its Job. */
function workloadOf({ metadata: { name, uid } }: KueueJob) {
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true }
  return {
    apiVersion: 'kueue.x-k8s.io/v1beta2',
    kind: 'Workload',
    metadata: {
      name: workloadName(name),
      labels: { 'kueue.x-k8s.io/job-uid': uid },
      ownerReferences: [owner],
    },
    spec: {},
  }
}

function workloadName(job: string): string {
  return `job-${job}`
}
