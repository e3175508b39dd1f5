import { isRecord } from '../../../e2e/cluster/host/run-command.ts'
import { eventually } from '../../../e2e/steps/eventually.ts'
import type { Pod } from '../../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../../common/kubernetes/resources/resource.ts'

/**
 * When the pods of Jobs got where, as a watcher sees it: arrivals of watch events in this process,
 * by its monotonic clock. Kubernetes' own times have whole seconds.
 */
export interface PodTimes {
  /** Both containers have started, in ms; known once the pod has ended. */
  startedMs(job: string): Promise<number>
  /** Stages that a watcher has seen it reach, in the order of `PodStages`; known once the pod has ended. */
  stages(job: string): Promise<PodStages>
  /** The name of the pod, once it has ended. */
  ended(job: string): Promise<string>
  close(): void
}

/** In ms; null = never seen. */
export interface PodStages {
  readonly created: number
  readonly scheduled: number | null
  /** Sandbox, network and volumes are there. */
  readonly sandbox: number | null
}

interface Seen {
  readonly pod: string
  readonly createdMs: number
  scheduledMs: number | null
  sandboxMs: number | null
  startedMs: number | null
  ended: boolean
}

export async function watchPodTimes(pods: Resource<Pod>, namespace: string): Promise<PodTimes> {
  const stop = new AbortController()
  const seen = new Map<string, Seen>()
  const { resourceVersion } = await pods.listPage({ namespace, limit: 1 })
  const events = await pods.watch({
    namespace,
    resourceVersion,
    timeoutSeconds: 3_600,
    signal: stop.signal,
  })
  let broken: unknown = null
  follow().catch((error: unknown) => {
    broken = error
  })

  const ended = async (job: string): Promise<Seen> =>
    eventually(`the pod of Job ${job} has ended`, async () => {
      if (broken !== null) throw new Error('the watch of pods broke off', { cause: broken })
      const times = seen.get(job)
      return times?.ended === true && times
    })
  return {
    async startedMs(job) {
      const { startedMs } = await ended(job)
      if (startedMs === null) throw new Error(`containers of Job ${job} have not started`)
      return startedMs
    },
    async stages(job) {
      const times = await ended(job)
      return {
        created: times.createdMs,
        scheduled: times.scheduledMs,
        sandbox: times.sandboxMs,
      }
    },
    async ended(job) {
      return (await ended(job)).pod
    },
    close: () => stop.abort(new Error('the benchmark has ended')),
  }

  async function follow(): Promise<void> {
    for await (const event of events) {
      if (event.type === 'BOOKMARK') continue
      const now = performance.now()
      const { metadata, status } = pods.parse(event.object)
      const job = metadata.labels?.['batch.kubernetes.io/job-name']
      if (job === undefined) continue
      const times = seen.get(job) ?? firstSight(metadata.name, now)
      seen.set(job, times)
      const conditions = trueConditions(event.object)
      if (conditions.includes('PodScheduled')) times.scheduledMs ??= now
      if (conditions.includes('PodReadyToStartContainers')) times.sandboxMs ??= now
      const { containers, phase } = status
      if (containers.length > 0 && containers.every(({ state }) => state.kind !== 'waiting')) {
        times.startedMs ??= now
      }
      times.ended ||= phase === 'Succeeded' || phase === 'Failed'
    }
  }
}

function firstSight(pod: string, now: number): Seen {
  const never = { scheduledMs: null, sandboxMs: null, startedMs: null }
  return { pod, createdMs: now, ...never, ended: false }
}

/** Types of the conditions that hold; the product reads none of them. */
function trueConditions(pod: unknown): unknown[] {
  const status = isRecord(pod) && isRecord(pod['status']) ? pod['status'] : {}
  const conditions: readonly unknown[] = Array.isArray(status['conditions'])
    ? status['conditions']
    : []
  return conditions
    .filter(isRecord)
    .filter((condition) => condition['status'] === 'True')
    .map((condition) => condition['type'])
}
