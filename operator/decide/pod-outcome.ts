import { evictedByQueue, lostOnSpot, transferExit } from '../../common/domain/failures.ts'
import { exitCode } from '../observe/container-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { isSuspendedByQueue, isUnadopted } from '../observe/job-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import type { Generation, RecordedSnapshot } from './snapshot.ts'
import { isOnSpot } from '../resources/profiles.ts'
import { deadlineExceeded, lost, podEnd } from '../status/pod-end.ts'
import type { AttemptContext } from '../status/pod-end.ts'
import { withoutClusterNames } from '../../common/kubernetes/status-message.ts'
import { isRefused } from '../status/refusal.ts'
import { hasInvalidImage, podlessSeconds } from '../status/start-reason.ts'
import type { Evidence, Verdict } from '../status/verdict.ts'

/** Verdict from the facts of the present generation, for a command whose row is not final. */
export function podOutcome(snapshot: RecordedSnapshot): Verdict {
  const { row, generation } = snapshot
  const context = { claimed: row.attempt !== null, stage: row.stage, limits: generation.limits }
  const verdict =
    row.attempt === null
      ? unclaimedVerdict(snapshot, context)
      : claimedVerdict(snapshot, row.attempt, context)
  if (verdict.kind !== 'lost') return verdict
  if (isEviction(generation, verdict)) return { ...verdict, reason: evictedByQueue }
  return isSpotLoss(snapshot, verdict) ? { ...verdict, reason: lostOnSpot } : verdict
}

/** The cluster has taken the node of the pod, or its place there, and the profile of its Job says that it may. */
function isSpotLoss(
  { generation, settings }: RecordedSnapshot,
  { reason, podUid }: Extract<Verdict, { kind: 'lost' }>,
): boolean {
  const { job, pods, gonePods } = generation
  if (job === null || !isOnSpot(job.profile, settings.runner)) return false
  if (reason === 'Disrupted') return true
  const pod = [...pods, ...gonePods].find(({ metadata }) => metadata.uid === podUid)
  return reason === 'NodeLost' && pod !== undefined && pod.disruption !== null
}

/** Kueue deletes the pods of a Job by suspending it, and may resume it before the end of those pods is seen. */
function isEviction({ job }: Generation, { reason }: Extract<Verdict, { kind: 'lost' }>): boolean {
  return reason === 'PodDeleted' && job !== null && job.queued && isAlive(job)
}

function isAlive({ deleting, ending, finished }: JobFacts): boolean {
  return !deleting && ending === null && !finished
}

function claimedVerdict(
  snapshot: RecordedSnapshot,
  attempt: string,
  context: AttemptContext,
): Verdict {
  const { job, pods, gonePods } = snapshot.generation
  const isAttempt = (pod: PodFacts): boolean => pod.metadata.uid === attempt
  const pod = pods.find(isAttempt)
  const dead = pod !== undefined && isTerminal(pod) ? pod : gonePods.find(isAttempt)
  if (dead !== undefined) {
    const verdict = podEnd(dead, context)
    // The Job controller deletes the pod when the Job's own deadline has passed.
    return verdict.kind === 'lost' && isPastDeadline(job) ? jobTimeout(job, context) : verdict
  }
  if (isPastDeadline(job)) return jobTimeout(job, context)
  if (pod !== undefined) return livingVerdict(snapshot, pod)
  return {
    kind: 'lost',
    reason: job === null ? 'JobDeleted' : 'PodDeleted',
    podUid: attempt,
    evidence: {},
  }
}

function unclaimedVerdict(snapshot: RecordedSnapshot, context: AttemptContext): Verdict {
  const { row, generation } = snapshot
  const { job, pods, gonePods } = generation
  const dead = [...pods.filter(isTerminal), ...gonePods].find((pod) => !wasSuperseded(pod))
  if (dead !== undefined) return podEnd(dead, context)
  const unbound = lostBinding(generation)
  if (unbound !== null) return unbound
  const living = pods.filter((pod) => !isTerminal(pod))
  for (const pod of living) {
    const verdict = livingVerdict(snapshot, pod)
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
  return startVerdict(snapshot)
}

/**
 * A warm runner gets the labels of its command after the row has named it. Where the row names none, the database
 * has lost that commit: reports of the pod are refused, and if it still requests a command, it gets none.
 */
function lostBinding({ job, pods }: Generation): Verdict | null {
  const pod = pods.find(({ warmRunner }) => warmRunner !== null)
  const isOfWarmRunner = job !== null && job.warmRunner !== null
  if (pod === undefined && !isOfWarmRunner) return null
  const podUid = pod?.metadata.uid ?? null
  return { kind: 'lost', reason: 'BindingLost', podUid, evidence: jobEvidence(job) }
}

/**
 * Start timeout for an admitted command without a runner. Until a node has its pod it waits for the cluster, which may
 * last; from then on the node has the shorter time for image, volumes and containers. The clock of a Job that Kueue queues
 * begins when Kueue resumes it: it may wait for days before.
 */
function startVerdict({ row, generation, elapsed, settings }: RecordedSnapshot): Verdict {
  const { job, pods, limits, waiting: why } = generation
  if (job !== null && isSuspendedByQueue(job)) return { kind: 'none' }
  const living = pods.filter((pod) => !isTerminal(pod))
  const isPlaced = living.some(({ node }) => node !== null)
  const isQueued = job?.queued ?? settings.runner.kueue !== null
  const sinceGeneration = row.secondsSinceGeneration ?? 0
  const waited = isQueued ? Math.min(sinceGeneration, elapsed.startable) : sinceGeneration
  const allowed = isPlaced
    ? limits.clocks.startAllowanceSeconds
    : settings.runner.placeAllowanceSeconds
  const left = allowed === null ? Infinity : allowed - (isPlaced ? elapsed.placed : waited)
  if (left > 0) {
    const lookAgain = job !== null && living.length === 0 ? podlessWait(elapsed.withoutPod) : left
    const seconds = Math.min(left, lookAgain)
    return Number.isFinite(seconds) ? { kind: 'wait', seconds } : { kind: 'none' }
  }
  const isExplained = explaining.includes(why.reason) || isRefused(why)
  const because = isExplained ? `: ${withoutClusterNames(why.message)}` : ''
  const message = `No runner started within ${allowed} seconds${because}`
  return { kind: 'failed', errorStatus: 'START_TIMEOUT', message, evidence: why }
}

/** Until the Job counts as refused a pod, then from one look at its Events to the next. */
function podlessWait(secondsWithoutPod: number): number {
  return secondsWithoutPod < podlessSeconds ? podlessSeconds - secondsWithoutPod : podlessSeconds
}

const explaining = ['Unschedulable', 'ImagePull', 'ContainerError']

/**
 * A dead node never reports its pod as ended, and the Job controller waits for exactly that. So a
 * pod that outlives its own deletion is lost: at once if the node is known to be unreachable, after
 * half a minute otherwise.
 */
function livingVerdict({ elapsed }: RecordedSnapshot, pod: PodFacts): Verdict {
  if (pod.deletion === null) return { kind: 'none' }
  const patience = pod.disruption === 'DeletionByTaintManager' ? 0 : 30
  const left =
    pod.deletion.graceSeconds + patience - (elapsed.podDeletion.get(pod.metadata.uid) ?? 0)
  return left > 0 ? { kind: 'wait', seconds: left } : lost(pod, 'NodeLost')
}

/** Superseded: another pod holds the attempt, so this one exited as instructed. */
function wasSuperseded(pod: PodFacts): boolean {
  return exitCode(pod.transfer) === transferExit.superseded
}

/** A warm runner that was not adopted in time has the deadline of one that waits: no time of the command. */
function isPastDeadline(job: JobFacts | null): boolean {
  return job?.ending?.reason === 'DeadlineExceeded' && !isUnadopted(job)
}

function jobTimeout(job: JobFacts | null, context: AttemptContext): Verdict {
  return { ...deadlineExceeded(context), evidence: jobEvidence(job) }
}

function jobEvidence(job: JobFacts | null): Evidence {
  return job === null ? {} : { job: job.metadata.name, ...job.ending }
}
