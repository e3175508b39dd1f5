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
 * Adds Job and pod of the warm runner that was given the command, which only the row names until they have its
 * labels: without them the attempt looks like a pod that is gone.
 */
export function withWarmRunner(
  seen: Seen,
  { commandId, jobGeneration, attempt, warmRunnerJob }: ReconcileRow,
  caches: Pick<Caches, 'attemptPod' | 'home'> & { readonly jobs: Pick<Caches['jobs'], 'get'> },
): Seen {
  if (attempt === null || warmRunnerJob === null) return seen
  const job = unlabelled(caches.jobs.get({ namespace: caches.home, name: warmRunnerJob }))
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
  T extends { readonly commandId: string | null; readonly warmRunner: object | null },
>(facts: T | null): T | null {
  return facts !== null && facts.warmRunner !== null && facts.commandId === null ? facts : null
}
