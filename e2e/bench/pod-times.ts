import type { Pod } from '../../common/kubernetes/objects.ts'
import type { Resource } from '../../common/kubernetes/resource.ts'
import { eventually } from '../stories/eventually.ts'

/**
 * When the pods of Jobs got where, as a watcher sees it: arrivals of watch events in this process,
 * by its monotonic clock. Kubernetes' own times have whole seconds.
 */
export interface PodTimes {
  /** Both containers have started, in ms; known once the pod has ended. */
  startedMs(job: string): Promise<number>
  /** The name of the pod, once it has ended. */
  ended(job: string): Promise<string>
  close(): void
}

interface Seen {
  readonly pod: string
  startedMs: number | null
  ended: boolean
}

export async function watchPodTimes(pods: Resource<Pod>, namespace: string): Promise<PodTimes> {
  const stop = new AbortController()
  const seen = new Map<string, Seen>()
  const { resourceVersion } = await pods.listPage({ namespace, limit: 1 })
  const events = await pods.watch({
    ...{ namespace, resourceVersion },
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
      const times = seen.get(job) ?? { pod: metadata.name, startedMs: null, ended: false }
      seen.set(job, times)
      const { containers, phase } = status
      if (containers.length > 0 && containers.every(({ state }) => state.kind !== 'waiting')) {
        times.startedMs ??= now
      }
      times.ended ||= phase === 'Succeeded' || phase === 'Failed'
    }
  }
}
