import type { V1PodFailurePolicy } from '@kubernetes/client-node'
import { transferExit } from '../../common/domain/failures.ts'

/**
 * `transfer` exits with one of these only after the gateway has recorded a failure. A present
 * runner exits with the last, an older one with any: `runner.tag` may name one.
 */
export const recordedFailureCodes: readonly number[] = [
  20,
  21,
  22,
  23,
  24,
  25,
  26,
  27,
  28,
  transferExit.recordedFault,
]
const killedCode = 137

/**
 * The order decides, the first match wins: a drained pod must be replaced although its containers
 * exit with the code for SIGTERM, which otherwise ends the Job. A second pod of the same Job must
 * neither complete nor fail it, because that kills the first.
 */
export function podFailurePolicy(isQueued: boolean): V1PodFailurePolicy {
  const { failJob, ignored } = codesOf(isQueued)
  return {
    rules: [
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      {
        action: 'FailJob',
        onExitCodes: { containerName: 'transfer', operator: 'In', values: failJob },
      },
      {
        action: 'Ignore',
        onExitCodes: { containerName: 'transfer', operator: 'In', values: ignored },
      },
      {
        action: 'FailJob',
        onExitCodes: { containerName: 'ffmpeg', operator: 'In', values: [killedCode] },
      },
    ],
  }
}

/**
 * The pods of a Job that is suspended get a SIGTERM without a DisruptionTarget: the code for it must not
 * end a Job that its queue resumes later.
 */
function codesOf(isQueued: boolean): { failJob: number[]; ignored: number[] } {
  const { interrupted, superseded } = transferExit
  return isQueued
    ? { failJob: [...recordedFailureCodes], ignored: [superseded, interrupted] }
    : { failJob: [...recordedFailureCodes, interrupted], ignored: [superseded] }
}

export type PolicyAction = 'Ignore' | 'FailJob' | 'Count'

/** Action of the Job controller on a failed pod under the policy above. */
export function policyActionFor(pod: {
  readonly disrupted: boolean
  readonly transferExitCode: number | null
  readonly ffmpegExitCode: number | null
  /** Kueue suspends and resumes its Job. */
  readonly isQueued: boolean
}): PolicyAction {
  if (pod.disrupted) return 'Ignore'
  const { failJob, ignored } = codesOf(pod.isQueued)
  const code = pod.transferExitCode
  if (code !== null && failJob.includes(code)) return 'FailJob'
  if (code !== null && ignored.includes(code)) return 'Ignore'
  return pod.ffmpegExitCode === killedCode ? 'FailJob' : 'Count'
}
