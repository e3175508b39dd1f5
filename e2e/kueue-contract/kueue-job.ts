import { parseMetadata } from '../../common/kubernetes/resources/metadata.ts'
import { createResource } from '../../common/kubernetes/resources/resource.ts'
import { parseConditions } from '../../common/kubernetes/resources/conditions.ts'
import { objectIn, objectOf, optionalNumberIn } from '../../common/kubernetes/read-json.ts'
import { withFlavor } from './flavor.ts'
import type { KubeClient } from '../../common/kubernetes/client.ts'
import type { ObjectMeta } from '../../common/kubernetes/resources/objects.ts'
import type { JsonObject } from '../../common/json/json-object.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'
import type { Flavor } from './flavor.ts'

/** A Job with what Kueue's integration reads and writes of it. */
export interface KueueJob {
  readonly metadata: ObjectMeta
  /** As the API server sent it. */
  readonly raw: JsonObject
  /** Spec of the template. */
  readonly pod: JsonObject
  readonly suspended: boolean
  /** The Job controller of Kubernetes has recorded that. */
  readonly isSuspensionSeen: boolean
  readonly startTime: unknown
  /** Pods that have not begun to terminate. */
  readonly activePods: number
  /** Its one pod is ready or has succeeded. */
  readonly podsReady: boolean
}

/** Marks a stop in progress, so that an interrupted one is completed; Kueue uses the same name. */
const stoppingAnnotation = 'kueue.x-k8s.io/stopping'

export function createKueueJobs(client: KubeClient): Resource<KueueJob> {
  const names = { kind: 'Job', plural: 'jobs', apiPath: '/apis/batch/v1' }
  return createResource(client, { ...names, parse: parseKueueJob })
}

export function parseKueueJob(raw: unknown): KueueJob {
  const job = objectOf(raw, 'Job')
  const [spec, status] = [objectIn(job, 'spec'), objectIn(job, 'status')]
  const ready = optionalNumberIn(status, 'ready') ?? 0
  const succeeded = optionalNumberIn(status, 'succeeded') ?? 0
  return {
    metadata: parseMetadata(raw),
    raw: job,
    pod: objectIn(objectIn(spec, 'template'), 'spec'),
    suspended: spec['suspend'] === true,
    isSuspensionSeen: parseConditions(status).some(
      (condition) => condition.type === 'Suspended' && condition.status === 'True',
    ),
    startTime: status['startTime'],
    activePods: optionalNumberIn(status, 'active') ?? 0,
    podsReady: ready + succeeded >= 1,
  }
}

export function isStopping({ metadata }: KueueJob): boolean {
  return metadata.annotations?.[stoppingAnnotation] !== undefined
}

/** One write: the flavor goes into the template of a Job while it is suspended and has no start time. */
export async function resume(
  jobs: Resource<KueueJob>,
  job: KueueJob,
  flavor: Flavor,
): Promise<void> {
  const template = { spec: directives(job.pod, withFlavor(job.pod, flavor)) }
  await jobs.mergePatch(versionOf(job), { spec: { suspend: false, template } })
}

/**
 * Three writes, as Kueue makes them: the API server takes changes of the template only once the start time is
 * gone, which goes only from a suspended Job, and from Kubernetes 1.36 on no pod is active any more. The annotation
 * stays until the last one.
 * @param original spec of the template before the flavor
 * @throws KubeError of class `conflict` if the Job changed meanwhile; the next call goes on
 */
export async function stop(
  jobs: Resource<KueueJob>,
  job: KueueJob,
  original: JsonObject,
): Promise<void> {
  let now = job
  if (!now.suspended) {
    const metadata = { annotations: { [stoppingAnnotation]: 'true' } }
    now = await jobs.mergePatch(versionOf(now), { metadata, spec: { suspend: true } })
  }
  if (now.startTime !== undefined) {
    now = await jobs.mergePatchStatus(versionOf(now), { startTime: null })
  }
  if (now.activePods > 0) return
  const template = { spec: directives(now.pod, original) }
  const metadata = { annotations: { [stoppingAnnotation]: null } }
  await jobs.mergePatch(versionOf(now), { metadata, spec: { template } })
}

/** A merge patch from one template to the other: keys that are gone are null. */
function directives(from: JsonObject, to: JsonObject): object {
  const before = objectIn(from, 'nodeSelector')
  const removed = Object.fromEntries(Object.keys(before).map((key) => [key, null]))
  return {
    nodeSelector: { ...removed, ...objectIn(to, 'nodeSelector') },
    tolerations: to['tolerations'],
  }
}

function versionOf({ metadata: { namespace = '', name, uid, resourceVersion } }: KueueJob) {
  return { namespace, name, uid, resourceVersion }
}
