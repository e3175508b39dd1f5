import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { Caches } from './caches.ts'
import type { JobFacts } from './job-facts.ts'
import type { PodFacts } from './pod-facts.ts'

interface Seen {
  readonly jobs: readonly JobFacts[]
  readonly pods: readonly PodFacts[]
  readonly gonePods: readonly PodFacts[]
}

/**
 * Adds Job and pod of the standby that was given the command, which only the row names until they have its
 * labels: without them the attempt looks like a pod that is gone.
 */
export function withStandby(
  seen: Seen,
  { commandId, jobGeneration, attempt, standbyJob }: ReconcileRow,
  caches: Pick<Caches, 'attemptPod' | 'home'> & { readonly jobs: Pick<Caches['jobs'], 'get'> },
): Seen {
  if (attempt === null || standbyJob === null) return seen
  const job = unlabelled(caches.jobs.get({ namespace: caches.home, name: standbyJob }))
  const found = caches.attemptPod(attempt)
  const pod = unlabelled(found?.pod ?? null)
  const ofCommand = { commandId, jobGeneration }
  const jobs = job === null ? seen.jobs : [...seen.jobs, { ...job, ...ofCommand }]
  if (pod === null) return { ...seen, jobs }
  const named = { ...pod, ...ofCommand }
  return found?.isGone === true
    ? { ...seen, jobs, gonePods: [...seen.gonePods, named] }
    : { ...seen, jobs, pods: [...seen.pods, named] }
}

function unlabelled<
  T extends { readonly commandId: string | null; readonly standby: object | null },
>(facts: T | null): T | null {
  return facts !== null && facts.standby !== null && facts.commandId === null ? facts : null
}
