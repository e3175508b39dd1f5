import {
  evictedByQueue,
  lostOnSpot,
  sandboxUnavailable,
  transferExit,
} from '../../common/domain/failures.ts'
import { recordedFailureCodes } from '../resources/failure-policy.ts'
import { freeSpotLosses } from '../resources/profiles.ts'

/**
 * Why an attempt was lost: a closed list, because it is a label of a metric. Uncharged losses are
 * caused by the infrastructure; both kinds use up attempts, because a node that kills every pod
 * would otherwise run a command without end. Only evictions by Kueue, and
 * losses on spot nodes, have counts of their own.
 */
export const lossReasons = {
  Disrupted: { charged: false },
  NodeLost: { charged: false },
  NodePressure: { charged: false },
  PodDeleted: { charged: false },
  JobDeleted: { charged: false },
  ForeignJob: { charged: false },
  JobFailed: { charged: false },
  Interrupted: { charged: false },
  NotResized: { charged: false },
  BindingLost: { charged: false },
  [evictedByQueue]: { charged: false },
  [lostOnSpot]: { charged: false },
  NodePressureAboveRequest: { charged: true },
  Evicted: { charged: true },
  NoReport: { charged: true },
  ContainerKilled: { charged: true },
  TransferOutOfMemory: { charged: true },
  TransferCrashed: { charged: true },
  GatewayUnreachable: { charged: true },
  UnexpectedError: { charged: true },
  [sandboxUnavailable]: { charged: true },
  FfmpegContainerLost: { charged: true },
} as const satisfies Record<string, { charged: boolean }>

export type LossReason = keyof typeof lossReasons

/** Loss reason for an exit code of the `transfer` container, if no outcome is recorded. */
export function lossByTransferExit(exitCode: number): LossReason {
  switch (exitCode) {
    case transferExit.recorded:
      return 'NoReport'
    case transferExit.interrupted:
      return 'Interrupted'
    case transferExit.gatewayUnreachable:
      return 'GatewayUnreachable'
    case transferExit.unexpected:
      return 'UnexpectedError'
    case transferExit.sandboxUnavailable:
      return sandboxUnavailable
    case transferExit.ffmpegContainerLost:
      return 'FfmpegContainerLost'
    case killed:
      return 'ContainerKilled'
    default:
      return recordedFailureCodes.includes(exitCode) ? 'NoReport' : 'TransferCrashed'
  }
}

/**
 * An FFmpeg container that ended by itself once may do so on every input like this one. Evictions by the
 * queue and losses on spot nodes are counted apart: the one after the last allowed ends the command.
 */
export function attemptsAllowed(
  reason: LossReason,
  allowed: { readonly attempts: number; readonly evictions: number },
): number {
  if (reason === evictedByQueue) return allowed.evictions + 1
  if (reason === lostOnSpot) return freeSpotLosses + 1
  return reason === 'FfmpegContainerLost' ? Math.min(2, allowed.attempts) : allowed.attempts
}

const killed = 137
