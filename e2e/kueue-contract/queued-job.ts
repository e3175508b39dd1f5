import { listIn, objectIn, textIn } from '../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../common/json/json-object.ts'
import type { JsonObject } from '../../common/json/json-object.ts'

/** A Job in a queue, as far as admission reads it. */
export interface QueuedJob {
  readonly name: string
  readonly queue: string
  readonly vcpus: number
  /** Larger ones go first. */
  readonly priority: number
  /** RFC 3339; older ones go first among equals. */
  readonly createdAt: string
  readonly suspended: boolean
  /** It ends, or is deleted: it starts no pod any more. */
  readonly ended: boolean
  /** Pods that run or terminate. */
  readonly livingPods: number
}

const queueNameLabel = 'kueue.x-k8s.io/queue-name'
const priorityClassLabel = 'kueue.x-k8s.io/priority-class'

/**
 * What is in a queue of this Job; null for a Job without the label, which is none of Kueue's business. The
 * vCPUs are those of its FFmpeg; Kueue adds up the requests of all containers.
 * @param raw a Job of `batch/v1`
 * @param livingPods of this Job
 * @param priorities by the name of a WorkloadPriorityClass
 */
export function queuedJob(
  raw: unknown,
  livingPods: number,
  priorities: ReadonlyMap<string, number> = new Map(),
): QueuedJob | null {
  const job = isJsonObject(raw) ? raw : {}
  const [metadata, spec] = [objectIn(job, 'metadata'), objectIn(job, 'spec')]
  const labels = objectIn(metadata, 'labels')
  const queue = labels[queueNameLabel]
  if (typeof queue !== 'string') return null
  const priorityClass = labels[priorityClassLabel]
  return {
    name: textIn(metadata, 'name'),
    queue,
    vcpus: vcpusOf(objectIn(objectIn(spec, 'template'), 'spec')),
    priority: typeof priorityClass === 'string' ? (priorities.get(priorityClass) ?? 0) : 0,
    createdAt: textIn(metadata, 'creationTimestamp'),
    suspended: spec['suspend'] === true,
    ended: metadata['deletionTimestamp'] !== undefined || hasEnded(objectIn(job, 'status')),
    livingPods,
  }
}

/**
 * The vCPUs of FFmpeg in a runner.
 * @param pod spec of a pod, or of the template of a Job
 */
export function vcpusOf(pod: JsonObject): number {
  const ffmpeg = listIn(pod, 'containers').find(
    (container) => isJsonObject(container) && container['name'] === 'ffmpeg',
  )
  const { cpu } = objectIn(objectIn(isJsonObject(ffmpeg) ? ffmpeg : {}, 'resources'), 'limits')
  const text = String(cpu)
  return text.endsWith('m') ? Number(text.slice(0, -1)) / 1_000 : Number(text)
}

function hasEnded(status: JsonObject): boolean {
  return listIn(status, 'conditions').some(
    (condition) =>
      isJsonObject(condition) &&
      (condition['type'] === 'Complete' || condition['type'] === 'Failed') &&
      condition['status'] === 'True',
  )
}
