import { createPods } from '../../common/kubernetes/resources/pods.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { createLoop } from '../../common/runtime/loop.ts'
import { defaultFlavor } from './flavor.ts'
import { createKueueJobs, isStopping, resume, stop } from './kueue-job.ts'
import { createPodsReady } from './pods-ready.ts'
import { admit } from './queue.ts'
import { queuedJob } from './queued-job.ts'
import { createContractWorkloads } from './workloads.ts'
import type { KubeClient } from '../../common/kubernetes/client.ts'
import type { JsonObject } from '../../common/json/json-object.ts'
import type { KubeObject, Resource } from '../../common/kubernetes/resources/resource.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Flavor } from './flavor.ts'
import type { KueueJob } from './kueue-job.ts'
import type { PodsReadySettings } from './pods-ready.ts'
import type { QueuedJob } from './queued-job.ts'

export interface ContractSettings {
  readonly namespace: string
  /** vCPUs by the name of a LocalQueue. */
  readonly quotas: ReadonlyMap<string, number>
  /** Value of each WorkloadPriorityClass. */
  readonly priorities: ReadonlyMap<string, number>
  readonly podsReady: PodsReadySettings
}

/**
 * Does with Jobs what Kueue's integration of Jobs does, on a real API server. It writes no condition of a Job: that
 * it is suspended is said by the Job controller of Kubernetes, and why it waits by its Workload.
 */
export interface Contract {
  /** Suspends a Job that was resumed, as a drained queue does; it may be resumed at once. */
  evict(job: string): void
  /** What the next Jobs are resumed with. */
  setFlavor(flavor: Flavor): void
  /** What the Workload of a Job that waits would say; undefined for any other. */
  waits(job: string): string | undefined
  /** Ends after the signal has aborted; never rejects. */
  run(signal: AbortSignal): Promise<void>
}

const resyncMs = 1_000
const watchSeconds = 300

interface Seen {
  readonly job: KueueJob
  readonly queued: QueuedJob
}

export function createContract(
  deps: { client: KubeClient; effects: Pick<Effects, 'clock' | 'random'>; logger: Logger },
  settings: ContractSettings,
): Contract {
  const { client, effects, logger } = deps
  const { namespace, quotas, priorities } = settings
  const jobs = createKueueJobs(client)
  const pods = createPods(client)
  const workloads = createContractWorkloads(client, { namespace, clock: effects.clock })
  const podsReady = createPodsReady(effects.clock, settings.podsReady)
  const toEvict = new Set<string>()
  /** Templates before the flavor, by the uid of the Job; Kueue keeps them in the Workload. */
  const originals = new Map<string, JsonObject>()
  let flavor = defaultFlavor
  let waiting: ReadonlyMap<string, string> = new Map()

  const reconciling = createLoop({
    name: 'contract',
    everyMs: resyncMs,
    effects,
    logger,
    work: (signal) => reconcile(signal).catch(orNextTime),
  })
  return {
    evict(job) {
      toEvict.add(job)
      reconciling.wake()
    },
    setFlavor(next) {
      flavor = next
    },
    waits: (job) => waiting.get(job),
    async run(signal) {
      const watches = [jobs, pods].map((resource) =>
        createLoop({
          name: `watch of ${resource.kind}`,
          everyMs: 0,
          effects,
          logger,
          work: () => watch(resource, signal),
        }).run(signal),
      )
      await Promise.all([reconciling.run(signal), ...watches])
    },
  }

  async function watch(resource: Resource<KubeObject>, signal: AbortSignal): Promise<void> {
    const { resourceVersion } = await resource.listPage({ namespace, limit: 1, signal })
    const query = { namespace, resourceVersion, timeoutSeconds: watchSeconds, signal }
    for await (const { type } of await resource.watch(query)) {
      if (type !== 'BOOKMARK') reconciling.wake()
    }
  }

  async function reconcile(signal: AbortSignal): Promise<void> {
    const seen = await read(signal)
    for (const { job } of seen) if (job.podsReady) podsReady.ready(job.metadata.uid)
    const leaving = seen.filter(isLeaving)
    if (leaving.length === 0) return decide(seen)
    for (const { job } of leaving) {
      // Before the writes: if the last one fails, the Job is evicted nevertheless, and once.
      toEvict.delete(job.metadata.name)
      if (podsReady.isOverdue(job.metadata.uid)) podsReady.timedOut(job.metadata.uid)
      await stopNow(job)
    }
    await decide(await read(signal))
  }

  /** It is stopped, or has to be. */
  function isLeaving({ job, queued: { name, suspended, ended: hasEnded } }: Seen): boolean {
    if (hasEnded) return false
    if (suspended) return isStopping(job)
    return toEvict.has(name) || podsReady.isOverdue(job.metadata.uid)
  }

  async function decide(seen: readonly Seen[]): Promise<void> {
    const byName = new Map(seen.map(({ job }) => [job.metadata.name, job]))
    const inLine = seen.filter(({ job, queued: { suspended, livingPods } }) => {
      const takesNothing = suspended && livingPods === 0
      return !takesNothing || !podsReady.isHeldBack(job.metadata.uid)
    })
    const decisions = admit(
      inLine.map(({ queued }) => queued),
      quotas,
    )
    ;({ waiting } = decisions)
    for (const { name } of decisions.evicted) {
      const job = byName.get(name)
      if (job !== undefined) await stopNow(job)
    }
    for (const { name } of decisions.resumed) {
      const job = byName.get(name)
      if (job === undefined || !isResumable(job)) continue
      originals.set(job.metadata.uid, job.pod)
      await resume(jobs, job, flavor)
      podsReady.resumed(job.metadata.uid)
    }
    for (const { job, queued } of seen) {
      if (!queued.ended) await workloads.show(job, waiting.get(queued.name) ?? null)
    }
  }

  async function stopNow(job: KueueJob): Promise<void> {
    await stop(jobs, job, originals.get(job.metadata.uid) ?? job.pod)
  }

  /** Pods last: one that a Job of this reading has started is among them, or its Job is resumed. */
  async function read(signal: AbortSignal): Promise<Seen[]> {
    const listed = await jobs.listPage({ namespace, signal })
    const { items } = await pods.listPage({ namespace, signal })
    const living = Map.groupBy(
      items.map((item) => pods.parse(item)).filter(({ status }) => !ended.includes(status.phase)),
      ({ metadata }) => metadata.ownerReferences?.[0]?.uid,
    )
    return listed.items.flatMap((item) => {
      const job = jobs.parse(item)
      const livingPods = living.get(job.metadata.uid)?.length ?? 0
      const queued = queuedJob(job.raw, livingPods, priorities)
      return queued === null ? [] : { job, queued }
    })
  }

  /** Another client wrote first, or the Job is gone: the next reading shows it. */
  function orNextTime(error: unknown): void {
    if (!isKubeError(error, 'conflict', 'absent')) throw error
    reconciling.wake()
  }
}

/**
 * The Job controller writes the condition of a new Job at the same moment. If the Job changes in between, that
 * write conflicts, and the controller starts no pod for a second. Kueue has its Workload to write first.
 */
function isResumable(job: KueueJob): boolean {
  return job.isSuspensionSeen && !isStopping(job)
}

const ended: readonly string[] = ['Succeeded', 'Failed']
