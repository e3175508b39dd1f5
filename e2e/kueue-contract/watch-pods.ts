import { createPods } from '../../common/kubernetes/resources/pods.ts'
import { objectIn } from '../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../common/json/json-object.ts'
import { vcpusOf } from './queued-job.ts'
import type { KubeClient } from '../../common/kubernetes/client.ts'
import type { JsonObject } from '../../common/json/json-object.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import { createLoop } from '../../common/runtime/loop.ts'
import type { Logger } from '../../common/runtime/logger.ts'

/** The runners of a namespace, as a watcher sees them. */
export interface RunnerPods {
  /** The most vCPUs of pods that existed at the same time and had not ended. */
  mostVcpus(): number
  /** Specs of all pods of a Job so far, oldest first. */
  specsOf(job: string): readonly JsonObject[]
  run(signal: AbortSignal): Promise<void>
}

const labelSelector = 'app.kubernetes.io/component=runner'

export function watchRunnerPods(
  deps: { client: KubeClient; effects: Pick<Effects, 'clock' | 'random'>; logger: Logger },
  namespace: string,
): RunnerPods {
  const pods = createPods(deps.client)
  const living = new Map<string, number>()
  const specs = new Map<string, JsonObject[]>()
  const known = new Set<string>()
  let most = 0
  return {
    mostVcpus: () => most,
    specsOf: (job) => specs.get(job) ?? [],
    run: (signal) =>
      createLoop({ name: 'watch of runners', everyMs: 0, ...deps, work: follow }).run(signal),
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const { items, resourceVersion } = await pods.listPage({ namespace, labelSelector, signal })
    living.clear()
    for (const item of items) see(item, false)
    const query = { namespace, labelSelector, resourceVersion, timeoutSeconds: 300, signal }
    for await (const event of await pods.watch(query)) {
      if (event.type !== 'BOOKMARK') see(event.object, event.type === 'DELETED')
    }
  }

  function see(raw: unknown, isDeleted: boolean): void {
    const { metadata, status } = pods.parse(raw)
    const spec = objectIn(isJsonObject(raw) ? raw : {}, 'spec')
    const job = metadata.labels?.['batch.kubernetes.io/job-name'] ?? ''
    if (!known.has(metadata.uid)) specs.set(job, [...(specs.get(job) ?? []), spec])
    known.add(metadata.uid)
    if (isDeleted || status.phase === 'Succeeded' || status.phase === 'Failed') {
      living.delete(metadata.uid)
    } else living.set(metadata.uid, vcpusOf(spec))
    most = Math.max(
      most,
      [...living.values()].reduce((sum, vcpus) => sum + vcpus, 0),
    )
  }
}
