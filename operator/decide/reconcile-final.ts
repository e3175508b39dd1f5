import type { ReconcileRow } from '../../common/store/reconcile.ts'
import { plan } from './actions.ts'
import { adoptEnded } from './adopt-warm-runner.ts'
import type { Action, Plan } from './actions.ts'
import { isUnadopted } from '../observe/job-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { endsItsJob, mayStartPod } from './next-pod.ts'
import { isWhole } from './snapshot.ts'
import type { RecordedSnapshot } from './snapshot.ts'
import { statusToShow } from './status-to-show.ts'

/** A runner whose report was accepted exits within a second or two. */
const lingerSeconds = 60

/**
 * A command whose row holds the outcome. Nothing here creates anything. The order is that of the
 * row's own columns: shown, quota released, and only then may Job and resource go.
 * Without the resource it is confirmed to be gone.
 */
export function reconcileFinal(snapshot: RecordedSnapshot): Plan {
  const { command, generation } = snapshot
  const ours = snapshot.jobs.filter(
    (job) => job.specHash === generation.specHash || (job === generation.job && isUnadopted(job)),
  )
  const stopped = ours.filter((job) => shouldStop(job, snapshot))
  const actions: Action[] = stopped.map((job) => ({
    kind: 'deleteJob',
    job,
    why: 'the command has ended',
  }))
  actions.push(...mirror(snapshot))
  if (stopped.length > 0) return plan(actions, againMs)

  const release = releaseActions(snapshot, ours)
  // No later reconcile is due for a Job that is adopted after the release.
  const ttlSeconds = release === 'wait' ? null : ttlOf(snapshot)
  const adopt = isWhole(snapshot) ? adoptEnded(snapshot, ttlSeconds) : null
  const adoptions = adopt === null ? [] : [adopt]
  if (release === 'wait') return plan([...actions, ...adoptions], againMs)
  actions.push(...release, ...ttlActions(snapshot, ours), ...adoptions)
  if (command?.deleting === true && command.recordFinalizer) {
    actions.push({ kind: 'removeFinalizer', command })
  }
  if (command === null || command.deleting) actions.push({ kind: 'markResourceDeleted' })
  return plan(actions)
}

/** Events report the end of pods and Jobs; this timer is for a lost event. */
const againMs = 5_000

/**
 * A Job that is not needed any more. A Job whose runner reported is kept, because it is about to
 * end by itself, with the log and exit code that people read.
 */
function shouldStop(job: JobFacts, { row, pods, elapsed }: RecordedSnapshot): boolean {
  if (job.finished || job.deleting) return false
  if (row.errorStatus === 'CANCELLED' || job.jobGeneration < row.jobGeneration) return true
  const living = livingPods(pods, row).filter((pod) => pod.jobGeneration === job.jobGeneration)
  const ending = row.attempt !== null && !hasEnded(row.attempt, pods)
  if (ending && living.every((pod) => pod.metadata.uid === row.attempt)) {
    return elapsed.sinceFinal > lingerSeconds
  }
  return living.length > 0 || mayStartPod(job, pods)
}

function hasEnded(attempt: string, pods: readonly PodFacts[]): boolean {
  return pods.some((pod) => pod.metadata.uid === attempt && isTerminal(pod))
}

/** Pods that still hold CPU. The node of a lost pod is unreachable. */
function livingPods(pods: readonly PodFacts[], row: ReconcileRow): PodFacts[] {
  return pods.filter((pod) => !isTerminal(pod) && !row.lostAttempts.includes(pod.metadata.uid))
}

/**
 * Neither the report nor a deletion request frees the vCPUs: they are free when no pod holds them
 * any more. A pod in the cache after which the Job starts no other is proof. Without one the cache
 * may be stale: the next pod of a Job may have started just before the Job was deleted.
 */
function releaseActions(
  { row, pods, confirmed, elapsed, settings }: RecordedSnapshot,
  jobs: readonly JobFacts[],
): Action[] | 'wait' {
  if (livingPods(pods, row).length > 0) {
    // A missed end must not hold the quota until the next LIST of everything.
    const isOverdue = elapsed.sinceFinal > lingerSeconds && !confirmed.has('pods')
    return isOverdue ? [{ kind: 'confirm', what: 'pods', name: row.commandId }] : 'wait'
  }
  if (row.released) return []
  if (jobs.some((job) => mayStartPod(job, pods))) return 'wait'
  const job = jobs.find(({ jobGeneration }) => jobGeneration === row.jobGeneration)
  const isQueued = job?.queued ?? settings.runner.kueue !== null
  const wasLast = pods.some(
    (pod) => pod.jobGeneration === row.jobGeneration && endsItsJob(pod, isQueued),
  )
  if (row.admitted && !wasLast && !confirmed.has('pods')) {
    return [{ kind: 'confirm', what: 'pods', name: row.commandId }]
  }
  return [{ kind: 'releaseQuota' }]
}

function ttlActions(snapshot: RecordedSnapshot, jobs: readonly JobFacts[]): Action[] {
  const seconds = ttlOf(snapshot)
  return jobs
    .filter((job) => !job.deleting && job.ttlSeconds === null)
    .map((job) => ({ kind: 'setJobTtl', job: job.metadata, seconds }))
}

function ttlOf({ row, settings }: RecordedSnapshot): number {
  return row.status === 'SUCCESS' ? settings.jobTtlSeconds : settings.failedJobTtlSeconds
}

function mirror(snapshot: RecordedSnapshot): Action[] {
  if (isWhole(snapshot)) return [statusToShow(snapshot)]
  const { mirrored, version } = snapshot.row
  return mirrored ? [] : [{ kind: 'markMirrored', version }]
}
