import { withFlavor, withoutFlavor } from '../../../e2e/kueue-contract/flavor.ts'
import { admit } from '../../../e2e/kueue-contract/queue.ts'
import { queuedJob } from '../../../e2e/kueue-contract/queued-job.ts'
import { listIn, objectIn } from '../../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../../common/json/json-object.ts'
import { isTerminalPod } from './pod-state.ts'
import type { QueuedJob } from '../../../e2e/kueue-contract/queued-job.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { FakeObject } from '../kube-apiserver/objects/fake-object.ts'
import type { ClusterAccess } from '../kube-apiserver/server.ts'
import type { Random } from '../../support/random.ts'
import type { Trace } from '../world/trace.ts'
import type { KueueOptions } from '../world/world.ts'
import { namespace } from '../world/settings.ts'

/** The contract of Kueue with a Job, on the simulated cluster. */
export interface Kueue {
  /** Suspends a Job that it has resumed. False where there is none. */
  evict(): boolean
  /** It sees nothing and does nothing for a while. */
  stopFor(ms: number): void
}

export function runKueue(
  deps: { clock: Clock; random: Random; cluster: ClusterAccess; trace: Trace },
  { quotaVcpus, stoppedMs = 0 }: KueueOptions,
): Kueue {
  const { clock, random, cluster, trace } = deps
  let stoppedUntilMs = clock.monotonicMs() + stoppedMs
  let isDue = false
  cluster.onChange(({ kind }) => {
    if (kind === 'Job' || kind === 'Pod') soon(random.between(50, 1_500))
  })
  return {
    evict() {
      const running = jobs().filter(({ suspended, ended }) => !suspended && !ended)
      if (running.length === 0 || clock.monotonicMs() < stoppedUntilMs) return false
      suspend(random.pick(running).name)
      return true
    },
    stopFor(ms) {
      stoppedUntilMs = Math.max(stoppedUntilMs, clock.monotonicMs() + ms)
    },
  }

  function soon(delayMs: number): void {
    if (isDue) return
    isDue = true
    clock.schedule(Math.max(delayMs, stoppedUntilMs - clock.monotonicMs()), () => {
      isDue = false
      if (clock.monotonicMs() < stoppedUntilMs) soon(0)
      else reconcile()
    })
  }

  function reconcile(): void {
    const found = jobs()
    const quotas = new Map(found.map(({ queue }) => [queue, quotaVcpus]))
    // All commands have the same priority, so none is evicted for another.
    for (const { name } of admit(found, quotas).resumed) {
      trace.add('cluster', `Kueue resumes ${name}`)
      change(name, false, (pod) => withFlavor(pod))
    }
  }

  /** The times of the cluster's objects have whole seconds. */
  function jobs(): QueuedJob[] {
    const living = Map.groupBy(
      cluster.list('Pod').filter((pod) => !isTerminalPod(pod)),
      ({ metadata }) => metadata.ownerReferences?.[0]?.uid,
    )
    return cluster.list('Job').flatMap((job) => {
      const queued = queuedJob(job, living.get(job.metadata.uid)?.length ?? 0)
      return queued ?? []
    })
  }

  function suspend(name: string): void {
    trace.add('cluster', `Kueue evicts ${name}`)
    change(name, true, (pod) => withoutFlavor(pod))
    cluster.updateStatus('Job', namespace, name, (status) => ({ ...status, startTime: undefined }))
  }

  function change(
    name: string,
    isSuspended: boolean,
    podOf: (pod: Readonly<Record<string, unknown>>) => object,
  ): void {
    cluster.update('Job', namespace, name, (job) => {
      const template = objectIn(job.spec ?? {}, 'template')
      const pod = podOf(objectIn(template, 'spec'))
      const spec = { ...job.spec, suspend: isSuspended, template: { ...template, spec: pod } }
      return { ...job, spec }
    })
  }
}

/** Message of the condition that says that a Job is suspended; null of any other Job. */
export function suspendedMessage({ status }: FakeObject): string | null {
  const condition = listIn(status ?? {}, 'conditions').find(isSuspended)
  if (!isJsonObject(condition) || condition['status'] !== 'True') return null
  return String(condition['message'])
}

export function withSuspended(
  status: Readonly<Record<string, unknown>>,
  value: 'True' | 'False',
  reason: string,
): object {
  const others = listIn(status, 'conditions').filter((condition) => !isSuspended(condition))
  const message = value === 'True' ? 'Job suspended' : 'Job resumed'
  const condition = { type: 'Suspended', status: value, reason, message }
  return { ...status, conditions: [...others, condition] }
}

function isSuspended(condition: unknown): boolean {
  return isJsonObject(condition) && condition['type'] === 'Suspended'
}
