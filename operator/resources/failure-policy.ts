import type { V1PodFailurePolicy } from '@kubernetes/client-node'
import { transferExit } from '../../common/domain/failures.ts'

/**
 * `transfer` exits with one of these only after the gateway has recorded a failure. A present
 * runner exits with the last, an older one with any: `runner.tag` may name one.
 */
export const recordedFailureCodes: readonly number[] = [
  ...[20, 21, 22, 23, 24, 25, 26, 27, 28],
  transferExit.recordedFault,
]
const failJobCodes = [...recordedFailureCodes, transferExit.interrupted]
const killedCode = 137

/**
 * The order decides, the first match wins: a drained pod must be replaced although its containers
 * exit with the code for SIGTERM, which otherwise ends the Job. A second pod of the same Job must
 * neither complete nor fail it, because that kills the first.
 */
export const podFailurePolicy: V1PodFailurePolicy = {
  rules: [
    { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    {
      action: 'FailJob',
      onExitCodes: { containerName: 'transfer', operator: 'In', values: failJobCodes },
    },
    {
      action: 'Ignore',
      onExitCodes: {
        containerName: 'transfer',
        operator: 'In',
        values: [transferExit.superseded],
      },
    },
    {
      action: 'FailJob',
      onExitCodes: { containerName: 'ffmpeg', operator: 'In', values: [killedCode] },
    },
  ],
}

export type PolicyAction = 'Ignore' | 'FailJob' | 'Count'

/** What the Job controller will do about a failed pod under the policy above. */
export function policyActionFor(pod: {
  readonly disrupted: boolean
  readonly transferExitCode: number | null
  readonly ffmpegExitCode: number | null
}): PolicyAction {
  if (pod.disrupted) return 'Ignore'
  if (pod.transferExitCode !== null && failJobCodes.includes(pod.transferExitCode)) return 'FailJob'
  if (pod.transferExitCode === transferExit.superseded) return 'Ignore'
  return pod.ffmpegExitCode === killedCode ? 'FailJob' : 'Count'
}
