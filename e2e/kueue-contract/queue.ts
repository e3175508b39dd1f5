import { isJsonObject, listIn, objectIn, textIn } from '../../common/kubernetes/read-json.ts'

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

/** What Kueue adds to the pods of a Job when it starts it: those of the flavor that has the room. */
export const flavor = {
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'example.com/flavor', operator: 'Exists', effect: 'NoSchedule' }],
} as const

const queueNameLabel = 'kueue.x-k8s.io/queue-name'
const priorityClassLabel = 'kueue.x-k8s.io/priority-class'

/**
 * The Jobs to resume now, and what those say that wait. Room is taken by Jobs that are resumed, and by the
 * pods of one that is suspended again until they are gone. A Job that does not fit is passed by
 * smaller ones (BestEffortFIFO).
 * @param quotas vCPUs by queue; a queue that is not there admits nothing
 */
export function admit(
  jobs: readonly QueuedJob[],
  quotas: ReadonlyMap<string, number>,
): { readonly resumed: readonly QueuedJob[]; readonly waiting: ReadonlyMap<string, string> } {
  const used = new Map<string, number>()
  const waiting = new Map<string, string>()
  const resumed: QueuedJob[] = []
  for (const job of jobs.filter(takesRoom)) {
    used.set(job.queue, (used.get(job.queue) ?? 0) + job.vcpus)
  }
  const queued = jobs.filter((job) => job.suspended && !job.ended && job.livingPods === 0)
  for (const job of queued.toSorted(firstInLine)) {
    const quota = quotas.get(job.queue)
    const free = (quota ?? 0) - (used.get(job.queue) ?? 0)
    if (quota === undefined) waiting.set(job.name, `LocalQueue ${job.queue} doesn't exist`)
    else if (job.vcpus > free) waiting.set(job.name, insufficient(job, free))
    else {
      used.set(job.queue, quota - free + job.vcpus)
      resumed.push(job)
    }
  }
  return { resumed, waiting }
}

function takesRoom({ suspended, ended, livingPods }: QueuedJob): boolean {
  return livingPods > 0 || (!suspended && !ended)
}

function firstInLine(a: QueuedJob, b: QueuedJob): number {
  return b.priority - a.priority || (a.createdAt < b.createdAt ? -1 : 1)
}

function insufficient({ vcpus }: QueuedJob, free: number): string {
  return `insufficient unused quota for cpu in flavor default, ${vcpus - free} more needed`
}

/**
 * What is in a queue of this Job; null for a Job without the label, which is none of Kueue's business. The
 * vCPUs are those of its FFmpeg; Kueue adds up the requests of all containers.
 * @param raw a Job of `batch/v1`
 * @param livingPods of this Job
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
    vcpus: vcpusOf(spec),
    priority: typeof priorityClass === 'string' ? (priorities.get(priorityClass) ?? 0) : 0,
    createdAt: textIn(metadata, 'creationTimestamp'),
    suspended: spec['suspend'] === true,
    ended: metadata['deletionTimestamp'] !== undefined || hasEnded(objectIn(job, 'status')),
    livingPods,
  }
}

function vcpusOf(spec: Readonly<Record<string, unknown>>): number {
  const pod = objectIn(objectIn(spec, 'template'), 'spec')
  const ffmpeg = listIn(pod, 'containers').find(
    (container) => isJsonObject(container) && container['name'] === 'ffmpeg',
  )
  const { cpu } = objectIn(objectIn(isJsonObject(ffmpeg) ? ffmpeg : {}, 'resources'), 'limits')
  const text = String(cpu)
  return text.endsWith('m') ? Number(text.slice(0, -1)) / 1_000 : Number(text)
}

function hasEnded(status: Readonly<Record<string, unknown>>): boolean {
  return listIn(status, 'conditions').some(
    (condition) =>
      isJsonObject(condition) &&
      (condition['type'] === 'Complete' || condition['type'] === 'Failed') &&
      condition['status'] === 'True',
  )
}

/** The pod template with the flavor. */
export function withFlavor(pod: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ...pod,
    nodeSelector: { ...objectIn(pod, 'nodeSelector'), ...flavor.nodeSelector },
    tolerations: [...listIn(pod, 'tolerations'), ...flavor.tolerations],
  }
}

/** As it was before `withFlavor`. */
export function withoutFlavor(pod: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { 'kubernetes.io/os': _, ...nodeSelector } = objectIn(pod, 'nodeSelector')
  const [{ key }] = flavor.tolerations
  const tolerations = listIn(pod, 'tolerations').filter(
    (toleration) => !isJsonObject(toleration) || toleration['key'] !== key,
  )
  return { ...pod, nodeSelector, tolerations }
}
