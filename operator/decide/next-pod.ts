import { exitCode } from '../observe/container-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { policyActionFor } from '../resources/failure-policy.ts'
import type { PolicyAction } from '../resources/failure-policy.ts'
import type { Generation } from './snapshot.ts'

/** Whether the Job controller itself starts the next pod, so that the Job can stay. */
export function jobGoesOn(
  { job, pods }: Pick<Generation, 'job' | 'pods'>,
  podUid: string | null,
  backoffLimit: number,
): boolean {
  if (job === null || job.deleting || job.ending !== null || job.finished) return false
  if (job.warmRunner !== null) return false
  const dead = pods.find((pod) => pod.metadata.uid === podUid)
  if (dead === undefined || !isTerminal(dead)) return false
  if (dead.phase === 'Succeeded' && dead.disruption === null) return false
  const action = actionOf(dead, job.queued)
  if (action !== 'Count') return action === 'Ignore'
  return (
    pods.filter((pod) => isTerminal(pod) && actionOf(pod, job.queued) === 'Count').length <=
    backoffLimit
  )
}

/** Whether a pod of this Job may still appear, though none lives now: a suspended one is resumed. */
export function mayStartPod(job: JobFacts, pods: readonly PodFacts[]): boolean {
  if (job.finished || job.ending !== null || job.deleting || job.warmRunner !== null) return false
  return !pods.some((pod) => pod.jobGeneration === job.jobGeneration && endsItsJob(pod, job.queued))
}

/** After a pod like this the Job starts no other. */
export function endsItsJob(pod: PodFacts, isQueued: boolean): boolean {
  if (pod.warmRunner !== null) return isTerminal(pod)
  const hasFailed = pod.phase === 'Failed' && actionOf(pod, isQueued) === 'FailJob'
  return pod.phase === 'Succeeded' || hasFailed
}

function actionOf(pod: PodFacts, isQueued: boolean): PolicyAction {
  return policyActionFor({
    disrupted: pod.disruption !== null,
    transferExitCode: exitCode(pod.transfer),
    ffmpegExitCode: exitCode(pod.ffmpeg),
    isQueued,
  })
}
