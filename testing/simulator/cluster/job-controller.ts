import type { Clock } from '../../../common/runtime/effects.ts'
import { listIn, objectIn, textIn } from '../../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../../common/json/json-object.ts'
import type { FakeObject } from '../kube-apiserver/objects/fake-object.ts'
import type { ClusterAccess } from '../kube-apiserver/cluster-access.ts'
import { containersOf, hasDisruption, isTerminalPod, withCondition } from './pod-state.ts'
import type { Random } from '../../support/random.ts'
import { namespace } from '../world/settings.ts'

/**
 * The Job controller, reduced to what decides when pods start and Jobs end: the second in which it
 * batches, back-off, podFailurePolicy, podReplacementPolicy, deadline and TTL.
 */
export interface JobController {
  /** Kubernetes may start a Job's pod twice. */
  startTwin(jobName: string): void
}

/** On a pod that was started although another one lives. */
export const twinAnnotation = 'simulator/twin'

interface Account {
  readonly startedMs: number
  finishedMs: number | null
  readonly counted: Set<string>
  failures: number
  lastFailureMs: number
  succeeded: boolean
  failJob: boolean
}

const firstBackoffMs = 10_000

export function runJobController(deps: {
  clock: Clock
  random: Random
  cluster: ClusterAccess
}): JobController {
  const { clock, random, cluster } = deps
  const accounts = new Map<string, Account>()
  let pods = 0
  cluster.onChange(({ kind, type, object }) => {
    if (kind === 'Job') {
      if (type === 'DELETED') accounts.delete(object.metadata.uid)
      else soon(object.metadata.name, random.between(20, 400))
    }
    if (kind === 'Pod') seePod(type, object)
  })
  return { startTwin: (jobName) => withJob(jobName, (job) => startPod(job, true)) }

  function soon(name: string, delayMs: number): void {
    clock.schedule(delayMs, () => withJob(name, sync))
  }

  function withJob(name: string, act: (job: FakeObject) => void): void {
    const job = cluster.get('Job', namespace, name)
    if (job !== null && job.metadata.deletionTimestamp === undefined) act(job)
  }

  /** A finalizer keeps a pod until it is counted, so none ends unseen. */
  function seePod(type: string, pod: FakeObject): void {
    const owner = pod.metadata.ownerReferences?.[0]
    if (owner === undefined) return
    const account = accounts.get(owner.uid)
    const isEnded = isTerminalPod(pod) || type === 'DELETED'
    if (account !== undefined && isEnded && !account.counted.has(pod.metadata.uid)) {
      account.counted.add(pod.metadata.uid)
      count(account, owner.name, pod)
    }
    soon(owner.name, random.between(300, 1_300))
  }

  function count(account: Account, jobName: string, pod: FakeObject): void {
    if (pod.status?.['phase'] === 'Succeeded') {
      account.succeeded = true
      return
    }
    const job = cluster.get('Job', namespace, jobName)
    const action = job === null || !isTerminalPod(pod) ? 'Count' : policyAction(job, pod)
    account.lastFailureMs = clock.monotonicMs()
    if (action === 'FailJob') account.failJob = true
    if (action === 'Count') account.failures += 1
  }

  function sync(job: FakeObject): void {
    const { name, uid } = job.metadata
    const account = accounts.get(uid) ?? newAccount(clock.monotonicMs())
    accounts.set(uid, account)
    if (account.finishedMs !== null) return expire(job, account.finishedMs)
    const active = podsOf(uid).filter((pod) => !isTerminalPod(pod))
    const spec = job.spec ?? {}
    const deadlineMs = account.startedMs + 1_000 * numberOf(spec, 'activeDeadlineSeconds')
    const ending = endingOf(account, numberOf(spec, 'backoffLimit'), deadlineMs)
    if (ending !== null) return end(job, account, ending, active)
    clock.schedule(Math.max(1, deadlineMs - clock.monotonicMs()), () => withJob(name, sync))
    if (active.length > 0) return
    const waitMs =
      account.counted.size === 0
        ? 0
        : account.lastFailureMs +
          firstBackoffMs * 2 ** Math.max(0, account.failures - 1) -
          clock.monotonicMs()
    if (waitMs <= 0) startPod(job)
    else soon(name, waitMs + 1)
  }

  function endingOf(account: Account, backoffLimit: number, deadlineMs: number): Ending | null {
    if (account.succeeded) return { type: 'SuccessCriteriaMet', reason: 'CompletionsReached' }
    if (account.failJob) return { type: 'FailureTarget', reason: 'PodFailurePolicy' }
    if (account.failures > backoffLimit) {
      return { type: 'FailureTarget', reason: 'BackoffLimitExceeded' }
    }
    if (clock.monotonicMs() < deadlineMs) return null
    return { type: 'FailureTarget', reason: 'DeadlineExceeded' }
  }

  /** Announced first; finished only when no pod of it runs any more. */
  function end(
    job: FakeObject,
    account: Account,
    { type, reason }: Ending,
    active: readonly FakeObject[],
  ): void {
    const { name } = job.metadata
    if (!hasCondition(job, type)) setCondition(name, type, reason)
    deleteAll(active)
    if (active.length > 0) return
    account.finishedMs = clock.monotonicMs()
    setCondition(name, type === 'FailureTarget' ? 'Failed' : 'Complete', reason)
  }

  function deleteAll(pods: readonly FakeObject[]): void {
    for (const { metadata } of pods) {
      if (metadata.deletionTimestamp === undefined) cluster.delete('Pod', namespace, metadata.name)
    }
  }

  function expire(job: FakeObject, finishedMs: number): void {
    const ttl = job.spec?.['ttlSecondsAfterFinished']
    if (typeof ttl !== 'number') return
    const leftMs = finishedMs + ttl * 1_000 - clock.monotonicMs()
    if (leftMs > 0) return soon(job.metadata.name, leftMs)
    cluster.delete('Job', namespace, job.metadata.name)
  }

  function startPod(job: FakeObject, isTwin = false): void {
    const { name, uid } = job.metadata
    const template = objectIn(job.spec ?? {}, 'template')
    const metadata = objectIn(template, 'metadata')
    const annotations = isTwin ? { [twinAnnotation]: 'true' } : {}
    pods += 1
    cluster.create('Pod', namespace, {
      metadata: {
        ...metadata,
        annotations: { ...objectIn(metadata, 'annotations'), ...annotations },
        name: `${name}-${pods.toString(36).padStart(5, '0')}`,
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true }],
      },
      spec: template['spec'],
    })
  }

  function podsOf(uid: string): FakeObject[] {
    return cluster.list('Pod').filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === uid)
  }

  function setCondition(name: string, type: string, reason: string): void {
    cluster.updateStatus('Job', namespace, name, (status) => withCondition(status, type, reason))
  }
}

interface Ending {
  readonly type: 'SuccessCriteriaMet' | 'FailureTarget'
  readonly reason: string
}

function newAccount(startedMs: number): Account {
  return {
    startedMs,
    finishedMs: null,
    counted: new Set(),
    failures: 0,
    lastFailureMs: 0,
    succeeded: false,
    failJob: false,
  }
}

function hasCondition(job: FakeObject, type: string): boolean {
  return listIn(job.status ?? {}, 'conditions').some(
    (condition) => isJsonObject(condition) && condition['type'] === type,
  )
}

/** The Job's own rules, in their order. */
function policyAction(job: FakeObject, pod: FakeObject): string {
  for (const rule of listIn(objectIn(job.spec ?? {}, 'podFailurePolicy'), 'rules')) {
    if (isJsonObject(rule) && matches(rule, pod)) return textIn(rule, 'action')
  }
  return 'Count'
}

function matches(rule: Readonly<Record<string, unknown>>, pod: FakeObject): boolean {
  if (listIn(rule, 'onPodConditions').length > 0) return hasDisruption(pod)
  const codes = objectIn(rule, 'onExitCodes')
  const container = containersOf(pod).find(({ name }) => name === codes['containerName'])
  return container !== undefined && listIn(codes, 'values').includes(container.exitCode)
}

function numberOf(object: Readonly<Record<string, unknown>>, field: string): number {
  const value = object[field]
  if (typeof value !== 'number') throw new Error(`the Job has no ${field}`)
  return value
}
