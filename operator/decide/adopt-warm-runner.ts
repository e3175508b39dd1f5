import type { AdoptWarmRunner, Patch } from './actions.ts'
import { isUnadopted } from '../observe/job-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import {
  adoptedJob,
  adoptedPod,
  labelledPod,
  longestAgeSeconds,
  resizedPod,
  waitingDeadline,
} from '../resources/warm-runner-job.ts'
import type { JobCommand } from '../resources/job.ts'
import { commandSize, textOf } from '../resources/warm-runner-size.ts'
import type { WholeSnapshot } from './snapshot.ts'
import { evidenceOf } from '../status/pod-end.ts'
import type { Verdict } from '../status/verdict.ts'

/**
 * Three writes, and what the node and the controllers do about them, take more of a processor than a short
 * command does. Its end comes first; a longer one loses nothing, as it has the limits of its class.
 */
const adoptAfterSeconds = 0.5
/** Events of a pod that does not have the labels of its command yet wake no command. */
const againSeconds = 1

export function adoptActions(snapshot: WholeSnapshot): {
  readonly actions: readonly AdoptWarmRunner[]
  readonly againSeconds: number | null
} {
  const adopt = adoption(snapshot)
  if (adopt === null) return { actions: [], againSeconds: null }
  const left = adoptAfterSeconds - snapshot.elapsed.sinceAttempt
  return left > 0 ? { actions: [], againSeconds: left } : { actions: [adopt], againSeconds }
}

/**
 * After the end of its command Job and pod are found by its labels, and go with its resource.
 * @param ttlSeconds null while the Job has to stay
 */
export function adoptEnded(
  snapshot: WholeSnapshot,
  ttlSeconds: number | null,
): AdoptWarmRunner | null {
  const { command, row, generation } = snapshot
  const pod = generation.pods.find(({ metadata }) => metadata.uid === row.attempt)
  if (command.deleting || pod === undefined || pod.warmRunner === null) return null
  const { job } = generation
  const isOfPod = job !== null && job.metadata.uid === pod.warmRunner.job?.uid
  const isLabelled = pod.warmRunner.isBound || pod.deletion !== null
  const parts = {
    job: isOfPod && isUnadopted(job) && !job.deleting ? jobPatch(job, snapshot, ttlSeconds) : null,
    pod: isLabelled ? null : { target: pod.metadata, body: labelledPod(workOf(snapshot)) },
  }
  if (parts.job === null && parts.pod === null) return null
  return { kind: 'adoptWarmRunner', podUid: pod.metadata.uid, ...parts, resize: null }
}

/** null where Job and pod are what those of the command would be, or will not be used any more. */
function adoption(snapshot: WholeSnapshot): AdoptWarmRunner | null {
  const { row, generation, settings, elapsed } = snapshot
  const { job, limits } = generation
  const pod = attemptOf(snapshot)
  if (pod === null) return null
  const adopts = job !== null && isUnadopted(job) && !job.deleting && job.ending === null
  const size = commandSize(limits, settings.runner)
  const text = textOf(size)
  const isSized = pod.warmRunner?.size === text || elapsed.isSizeSettled
  const target = pod.metadata
  const parts = {
    job: adopts ? jobPatch(job, snapshot) : null,
    pod:
      pod.warmRunner?.isBound === true
        ? null
        : {
            target,
            body: adoptedPod(workOf(snapshot), row.waitedSeconds ?? 0, settings.runner.pod),
          },
    resize:
      isSized || elapsed.resizeRefusal !== null
        ? null
        : { target, body: resizedPod(size), node: pod.node, size: text },
  }
  if (parts.job === null && parts.pod === null && parts.resize === null) return null
  return { kind: 'adoptWarmRunner', podUid: pod.metadata.uid, ...parts }
}

function jobPatch(job: JobFacts, snapshot: WholeSnapshot, ttlSeconds: number | null = null): Patch {
  const { command } = snapshot
  const owner = { kind: command.kind, ...command.metadata }
  const waitingSeconds = job.deadlineSeconds ?? waitingDeadline(longestAgeSeconds)
  return {
    target: job.metadata,
    body: adoptedJob(workOf(snapshot), owner, { waitingSeconds, ttlSeconds }),
  }
}

function workOf({ row, generation }: WholeSnapshot): JobCommand & { readonly vcpuCount: number } {
  const { specHash, limits } = generation
  return { ...row, vcpuCount: limits.cpus, specHash, limits }
}

/** A short command has ended by then; a longer one loses this much. */
const unresizedSeconds = 2

/**
 * A node that has no room for the command's requests lets it run with next to none: beside others it may
 * stand still for its whole run. So it starts again where there is room.
 */
export function sizedVerdict(snapshot: WholeSnapshot, verdict: Verdict): Verdict {
  const { elapsed } = snapshot
  const pod = attemptOf(snapshot)
  if (verdict.kind !== 'none' || pod === null || elapsed.unresized === null) return verdict
  const left = unresizedSeconds - elapsed.unresized
  if (left > 0) return { kind: 'wait', seconds: left }
  const why = pod.warmRunner?.resizePending
  const reason = why?.reason ?? 'Refused'
  const message = why?.message ?? elapsed.resizeRefusal ?? ''
  const evidence = { ...evidenceOf(pod), reason, message }
  return { kind: 'lost', reason: 'NotResized', podUid: pod.metadata.uid, evidence }
}

/** The warm runner that runs the command. */
function attemptOf({ row, generation }: WholeSnapshot): PodFacts | null {
  const pod = generation.pods.find(({ metadata }) => metadata.uid === row.attempt)
  if (pod === undefined || pod.warmRunner === null) return null
  return isTerminal(pod) || pod.deletion !== null ? null : pod
}
