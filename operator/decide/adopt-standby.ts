import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { AdoptStandby, Patch } from './actions.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import type { RunnerSettings } from '../resources/runner-settings.ts'
import {
  adoptedJob,
  adoptedPod,
  labelledPod,
  longestAgeSeconds,
  resizedPod,
  waitingDeadline,
} from '../resources/standby-job.ts'
import type { JobCommand } from '../resources/job.ts'
import { commandSize, textOf } from '../resources/standby-size.ts'
import { isUnadopted } from './round.ts'
import type { Round } from './round.ts'
import type { Snapshot } from './snapshot.ts'
import { evidenceOf } from '../status/pod-end.ts'
import type { Verdict } from '../status/verdict.ts'

/**
 * Why a command gets a Job of its own; `empty`: no pod waited for it; `upload`: the last one is kept from the
 * probe of an upload; `namespace`: pods wait in another one, and a Job is in the namespace of its owner.
 */
export type ColdReason = 'off' | 'round' | 'size' | 'plan' | 'namespace' | 'empty' | 'upload'

/** The file is not downloaded any more, but read for its codec, length and size. */
export function isUploadProbe({ file }: Pick<ReconcileRow, 'file'>): boolean {
  return file?.status === 'UPLOADED'
}

/** Only the first attempt of a command is warm. After any failure of it, the next one has a Job of its own. */
export function coldReason(
  row: Pick<ReconcileRow, 'round' | 'lostAttempts' | 'vcpuCount' | 'accountPlan' | 'file'>,
  { metadata }: Pick<CommandFacts, 'metadata'>,
  { warm, namespace }: Pick<RunnerSettings, 'warm' | 'namespace'>,
): ColdReason {
  if (warm === null) return 'off'
  if (row.round !== 1 || row.lostAttempts.length > 0) return 'round'
  if (row.vcpuCount > warm.vcpu) return 'size'
  if (warm.coldPlans.includes(row.accountPlan)) return 'plan'
  if (metadata.namespace !== namespace) return 'namespace'
  return isUploadProbe(row) ? 'upload' : 'empty'
}

/**
 * Three writes, and what the node and the controllers do about them, take more of a processor than a short
 * command does. Its end comes first; a longer one loses nothing, as it has the limits of its class.
 */
const adoptAfterSeconds = 0.5
/** Events of a pod that does not have the labels of its command yet wake no command. */
const againSeconds = 1

export function adoptActions(
  snapshot: Snapshot,
  command: CommandFacts,
  round: Round,
): { readonly actions: readonly AdoptStandby[]; readonly againSeconds: number | null } {
  const adopt = adoptStandby(snapshot, command, round)
  if (adopt === null) return { actions: [], againSeconds: null }
  const left = adoptAfterSeconds - snapshot.elapsed.sinceAttempt
  return left > 0 ? { actions: [], againSeconds: left } : { actions: [adopt], againSeconds }
}

/**
 * After the end of its command Job and pod are found by its labels, and go with its resource.
 * @param ttlSeconds null while the Job has to stay
 */
export function adoptEnded(
  command: CommandFacts | null,
  round: Round,
  ttlSeconds: number | null,
): AdoptStandby | null {
  const pod = round.pods.find(({ metadata }) => metadata.uid === round.row.attempt)
  if (command === null || command.deleting || pod === undefined || pod.standby === null) return null
  const { job } = round
  const isOfPod = job !== null && job.metadata.uid === pod.standby.job?.uid
  const isLabelled = pod.standby.isBound || pod.deletion !== null
  const parts = {
    job:
      isOfPod && isUnadopted(job) && !job.deleting
        ? jobPatch(job, command, round, ttlSeconds)
        : null,
    pod: isLabelled ? null : { target: pod.metadata, body: labelledPod(workOf(round)) },
  }
  if (parts.job === null && parts.pod === null) return null
  return { kind: 'adoptStandby', podUid: pod.metadata.uid, ...parts, resize: null }
}

/** null where Job and pod are what those of the command would be, or will not be used any more. */
function adoptStandby(
  { settings, elapsed }: Snapshot,
  command: CommandFacts,
  round: Round,
): AdoptStandby | null {
  const { row, job, limits } = round
  const pod = attemptOf(round)
  if (pod === null) return null
  const adopts = job !== null && isUnadopted(job) && !job.deleting && job.ending === null
  const size = commandSize(limits, settings.runner)
  const text = textOf(size)
  const isSized = pod.standby?.size === text || elapsed.isSizeSettled
  const target = pod.metadata
  const parts = {
    job: adopts ? jobPatch(job, command, round) : null,
    pod:
      pod.standby?.isBound === true
        ? null
        : { target, body: adoptedPod(workOf(round), row.waitedSeconds ?? 0, settings.runner.pod) },
    resize:
      isSized || elapsed.resizeRefusal !== null
        ? null
        : { target, body: resizedPod(size), node: pod.node, size: text },
  }
  if (parts.job === null && parts.pod === null && parts.resize === null) return null
  return { kind: 'adoptStandby', podUid: pod.metadata.uid, ...parts }
}

function jobPatch(
  job: JobFacts,
  command: CommandFacts,
  round: Round,
  ttlSeconds: number | null = null,
): Patch {
  const owner = { kind: command.kind, ...command.metadata }
  const waitingSeconds = job.deadlineSeconds ?? waitingDeadline(longestAgeSeconds)
  return {
    target: job.metadata,
    body: adoptedJob(workOf(round), owner, { waitingSeconds, ttlSeconds }),
  }
}

function workOf({ row, specHash, limits }: Round): JobCommand & { readonly vcpuCount: number } {
  return { ...row, vcpuCount: limits.cpus, specHash, limits }
}

/** A short command has ended by then; a longer one loses this much. */
const unresizedSeconds = 2

/**
 * A node that has no room for the command's requests lets it run with next to none: beside others it may
 * stand still for its whole run. So it starts again where there is room.
 */
export function sizedVerdict({ elapsed }: Snapshot, round: Round, verdict: Verdict): Verdict {
  const pod = attemptOf(round)
  if (verdict.kind !== 'none' || pod === null || elapsed.unresized === null) return verdict
  const left = unresizedSeconds - elapsed.unresized
  if (left > 0) return { kind: 'wait', seconds: left }
  const why = pod.standby?.resizePending
  const reason = why?.reason ?? 'Refused'
  const message = why?.message ?? elapsed.resizeRefusal ?? ''
  const evidence = { ...evidenceOf(pod), reason, message }
  return { kind: 'lost', reason: 'NotResized', podUid: pod.metadata.uid, evidence }
}

/** The standby that runs the command. */
function attemptOf({ row, pods }: Round): PodFacts | null {
  const pod = pods.find(({ metadata }) => metadata.uid === row.attempt)
  if (pod === undefined || pod.standby === null) return null
  return isTerminal(pod) || pod.deletion !== null ? null : pod
}
