import type { ReconcileRow } from '../../common/store/reconcile.ts'
import { transferExit } from '../../common/domain/failures.ts'
import { exitCode } from '../observe/container-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { clocksFor } from '../resources/clocks.ts'
import { ffmpegMemoryMbytes } from '../resources/containers.ts'
import { policyActionFor } from '../resources/failure-policy.ts'
import type { Situation } from './snapshot.ts'
import { deadlineExceeded, lost, podEnd } from '../status/pod-end.ts'
import type { AttemptContext } from '../status/pod-end.ts'
import type { Reason } from '../status/reason.ts'
import { hasInvalidImage, startReason } from '../status/start-reason.ts'
import type { Evidence, Verdict } from '../status/verdict.ts'

/** The present round of an admitted command: its Job, and its pods that were not fenced yet. */
export interface Round {
  readonly job: JobFacts | null
  readonly pods: readonly PodFacts[]
  /** Their objects are gone from the cluster. */
  readonly gonePods: readonly PodFacts[]
}

export function roundOf({ jobs, pods, gonePods }: Situation, row: ReconcileRow): Round {
  const present = (pod: PodFacts): boolean =>
    pod.round === row.round && !row.lostAttempts.includes(pod.metadata.uid)
  return {
    job: jobs.find((job) => job.round === row.round) ?? null,
    pods: pods.filter(present),
    gonePods: gonePods.filter(present),
  }
}

/** Verdict from the round's facts, for a command whose row is not final. */
export function roundVerdict(situation: Situation, row: ReconcileRow, round: Round): Verdict {
  const context = contextOf(situation, row)
  return row.attempt === null
    ? unclaimedVerdict(situation, row, round, context)
    : claimedVerdict(situation, row.attempt, round, context)
}

function claimedVerdict(
  situation: Situation,
  attempt: string,
  { job, pods, gonePods }: Round,
  context: AttemptContext,
): Verdict {
  const isAttempt = (pod: PodFacts): boolean => pod.metadata.uid === attempt
  const pod = pods.find(isAttempt)
  const dead = pod !== undefined && isTerminal(pod) ? pod : gonePods.find(isAttempt)
  if (dead !== undefined) {
    const verdict = podEnd(dead, context)
    // The Job controller deletes the pod when the Job's own deadline has passed.
    return verdict.kind === 'lost' && isPastDeadline(job) ? jobTimeout(job, context) : verdict
  }
  if (isPastDeadline(job)) return jobTimeout(job, context)
  if (pod !== undefined) return livingVerdict(situation, pod)
  return {
    kind: 'lost',
    reason: job === null ? 'JobDeleted' : 'PodDeleted',
    podUid: attempt,
    evidence: {},
  }
}

function unclaimedVerdict(
  situation: Situation,
  row: ReconcileRow,
  { job, pods, gonePods }: Round,
  context: AttemptContext,
): Verdict {
  const dead = [...pods.filter(isTerminal), ...gonePods].find((pod) => !wasSuperseded(pod))
  if (dead !== undefined) return podEnd(dead, context)
  const living = pods.filter((pod) => !isTerminal(pod))
  for (const pod of living) {
    const verdict = livingVerdict(situation, pod)
    if (verdict.kind === 'lost') return verdict
  }
  if (hasInvalidImage(living)) {
    const message = 'The image of the runner has an invalid name'
    return { kind: 'failed', errorStatus: 'INTERNAL_ERROR', message, evidence: {} }
  }
  if (living.length === 0 && job !== null) {
    if (isPastDeadline(job)) return jobTimeout(job, { ...context, claimed: row.attempts > 0 })
    if (job.deleting || job.ending !== null) {
      const reason = job.deleting ? 'JobDeleted' : 'JobFailed'
      return { kind: 'lost', reason, podUid: null, evidence: jobEvidence(job) }
    }
  }
  return startVerdict(situation, row, waitingReason(situation, row, { job, pods, gonePods }))
}

/** Start timeout for an admitted command without a runner. */
function startVerdict({ settings }: Situation, row: ReconcileRow, why: Reason): Verdict {
  const allowed = settings.runner.startAllowanceSeconds
  const left = allowed - (row.secondsSinceRound ?? 0)
  if (left > 0) return { kind: 'wait', seconds: left }
  const because = explaining.includes(why.reason) ? `: ${why.message}` : ''
  const message = `No runner started within ${allowed} seconds${because}`
  return { kind: 'failed', errorStatus: 'START_TIMEOUT', message, evidence: why }
}

const explaining = ['Unschedulable', 'ImagePull', 'ContainerError', 'QuotaForbidden', 'Forbidden']

export function waitingReason(situation: Situation, row: ReconcileRow, round: Round): Reason {
  return startReason({
    job: round.job,
    pods: round.pods,
    refusal: situation.refusal,
    lostAttempts: row.lostAttempts.length,
    maxAttempts: situation.settings.runner.maxAttempts,
    secondsWithoutPod: situation.elapsed.withoutPod,
  })
}

/**
 * A dead node never reports its pod as ended, and the Job controller waits for exactly that. So a
 * pod that outlives its own deletion is lost: at once if the node is known to be unreachable, after
 * half a minute otherwise.
 */
function livingVerdict({ elapsed }: Situation, pod: PodFacts): Verdict {
  if (pod.deletion === null) return { kind: 'none' }
  const patience = pod.disruption === 'DeletionByTaintManager' ? 0 : 30
  const left =
    pod.deletion.graceSeconds + patience - (elapsed.podDeletion.get(pod.metadata.uid) ?? 0)
  return left > 0 ? { kind: 'wait', seconds: left } : lost(pod, 'NodeLost')
}

/** Whether the Job controller itself starts the next pod, so that the Job can stay. */
export function jobGoesOn(
  { job, pods }: Round,
  podUid: string | null,
  backoffLimit: number,
): boolean {
  if (job === null || job.deleting || job.ending !== null || job.finished) return false
  const dead = pods.find((pod) => pod.metadata.uid === podUid)
  if (dead === undefined || !isTerminal(dead)) return false
  if (dead.phase === 'Succeeded' && dead.disruption === null) return false
  const action = actionOf(dead)
  if (action !== 'Count') return action === 'Ignore'
  return pods.filter((pod) => isTerminal(pod) && actionOf(pod) === 'Count').length <= backoffLimit
}

/** Whether a pod of this Job may still appear, though none lives now. */
export function mayStartPod(job: JobFacts, pods: readonly PodFacts[]): boolean {
  if (job.finished || job.ending !== null || job.deleting || job.suspended) return false
  return !pods.some((pod) => pod.round === job.round && endsItsJob(pod))
}

/** After a pod like this the Job starts no other. */
export function endsItsJob(pod: PodFacts): boolean {
  return pod.phase === 'Succeeded' || (pod.phase === 'Failed' && actionOf(pod) === 'FailJob')
}

function actionOf(pod: PodFacts): ReturnType<typeof policyActionFor> {
  return policyActionFor({
    disrupted: pod.disruption !== null,
    transferExitCode: exitCode(pod.transfer),
    ffmpegExitCode: exitCode(pod.ffmpeg),
  })
}

/** Superseded: another pod holds the attempt, so this one exited as instructed. */
function wasSuperseded(pod: PodFacts): boolean {
  return exitCode(pod.transfer) === transferExit.superseded
}

function isPastDeadline(job: JobFacts | null): boolean {
  return job?.ending?.reason === 'DeadlineExceeded'
}

function jobTimeout(job: JobFacts | null, context: AttemptContext): Verdict {
  return { ...deadlineExceeded(context), evidence: jobEvidence(job) }
}

function jobEvidence(job: JobFacts | null): Evidence {
  return job === null ? {} : { job: job.metadata.name, ...job.ending }
}

function contextOf({ settings }: Situation, row: ReconcileRow): AttemptContext {
  const clocks = clocksFor(row, settings.runner)
  return {
    claimed: row.attempt !== null,
    stage: row.stage,
    podDeadlineSeconds: clocks.podDeadlineSeconds,
    startAllowanceSeconds: clocks.startAllowanceSeconds,
    memoryMbytes: ffmpegMemoryMbytes(row.vcpuCount, settings.runner),
    scratchMbytes: settings.runner.scratchMbytes,
  }
}
