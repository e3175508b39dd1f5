import { quickAjv } from '../../common/json/quick-ajv.ts'
import {
  diskFullSentence,
  failures,
  outOfMemorySentence,
  transferExit,
} from '../../common/domain/failures.ts'
import schema from '../../common/gateway/messages.schema.json' with { type: 'json' }
import type { Result } from '../../common/gateway/messages.ts'
import type { ProcessingStage } from '../../common/domain/states.ts'
import { exitCode } from '../observe/container-facts.ts'
import type { ContainerFacts } from '../observe/container-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import type { RunnerLimits } from '../resources/limits.ts'
import { evictionOf } from './eviction.ts'
import { lossByTransferExit } from './loss.ts'
import type { LossReason } from './loss.ts'
import type { Evidence, Verdict } from './verdict.ts'

export interface AttemptContext {
  /** Whether this pod was given the command. */
  readonly claimed: boolean
  readonly stage: ProcessingStage | null
  readonly limits: RunnerLimits
}

/**
 * Verdict on a command from the end of its pod. The order decides, the first match wins: a pod that was
 * evicted for its disk also has an exit code, and that of a container killed for memory can be any,
 * 0 included, where only a child of it was killed (cgroup v1).
 * @param pod terminal, or gone from the cluster in the state it was last seen
 */
export function podEnd(pod: PodFacts, context: AttemptContext): Verdict {
  const evidence = evidenceOf(pod)
  // Only a pod that was given the command writes a result: where the row does not know of it, the
  // claim was lost with the database's last commits.
  const result = reportOf(pod)
  if (result !== null) return { kind: 'reported', podUid: pod.metadata.uid, result, evidence }
  return failureOf(pod, context) ?? lost(pod, lossOf(pod))
}

/**
 * Exported for the gateway too, which must report why the ffmpeg container of a living `transfer`
 * died.
 */
export function failureOf(pod: PodFacts, context: AttemptContext): Verdict | null {
  const evidence = evidenceOf(pod)
  if (isOutOfMemory(pod.ffmpeg)) {
    const { memoryMbytes } = context.limits
    const message = outOfMemorySentence((pod.limits.memoryMbytes ?? memoryMbytes) * 1024 ** 2)
    return { kind: 'failed', errorStatus: 'OUT_OF_MEMORY', message, evidence }
  }
  if (evictionOf(pod) === 'DiskFull') {
    const { scratchMbytes } = context.limits
    const message = diskFullSentence((pod.limits.scratchMbytes ?? scratchMbytes) * 1024 ** 2)
    return { kind: 'failed', errorStatus: 'DISK_FULL', message, evidence }
  }
  if (pod.reason === 'DeadlineExceeded') return { ...deadlineExceeded(context), evidence }
  return null
}

/** Which clock ran out, by what the runner was doing. */
export function deadlineExceeded({
  claimed,
  stage,
  limits: { clocks },
}: AttemptContext): Omit<Extract<Verdict, { kind: 'failed' }>, 'evidence'> {
  const after = `within ${clocks.podDeadlineSeconds} seconds`
  if (!claimed) {
    const message = `No runner started within ${clocks.startAllowanceSeconds} seconds`
    return { kind: 'failed', errorStatus: 'START_TIMEOUT', message }
  }
  switch (stage) {
    case 'DOWNLOADING':
      return {
        kind: 'failed',
        errorStatus: 'UNREACHABLE_INPUT_FILE',
        message: `The inputs were not fetched ${after}`,
      }
    case 'UPLOADING':
      return {
        kind: 'failed',
        errorStatus: 'STORAGE_ERROR',
        message: `The outputs were not stored ${after}`,
      }
    case null:
    case 'PREPARING_INPUT_FILES':
    case 'FFMPEG_PROCESSING':
      return {
        kind: 'failed',
        errorStatus: 'COMMAND_TIMEOUT',
        message: `${failures.COMMAND_TIMEOUT.sentence}: the runner did not end ${after}`,
      }
  }
}

export function lost(pod: PodFacts, reason: LossReason): Verdict {
  return { kind: 'lost', reason, podUid: pod.metadata.uid, evidence: evidenceOf(pod) }
}

function lossOf(pod: PodFacts): LossReason {
  const eviction = evictionOf(pod)
  if (eviction !== null && eviction !== 'DiskFull') return eviction
  if (pod.disruption !== null) return 'Disrupted'
  // Deleted by hand: the exit code is that of the SIGTERM and says nothing about the command.
  if (pod.deletion !== null || !isTerminal(pod)) return 'PodDeleted'
  if (isOutOfMemory(pod.transfer)) return 'TransferOutOfMemory'
  const code = exitCode(pod.transfer)
  if (code === transferExit.ffmpegContainerLost && exitCode(pod.ffmpeg) === killedCode) {
    return 'ContainerKilled'
  }
  return code === null ? 'JobFailed' : lossByTransferExit(code)
}

const killedCode = 137

function isOutOfMemory(container: ContainerFacts | null): boolean {
  return container?.state === 'terminated' && container.reason === 'OOMKilled'
}

/**
 * Result of `transfer` only: the other container runs untrusted code, which may write any message.
 */
export function reportOf({ transfer }: PodFacts): Result | null {
  return transfer?.state === 'terminated' ? resultFromTerminationMessage(transfer.message) : null
}

/**
 * The result that `transfer` writes when the gateway is unreachable at the end. It has no logs,
 * because it has to fit 4,096 bytes.
 * @returns null for anything that is not a whole result, a truncated JSON text included
 */
function resultFromTerminationMessage(message: string): Result | null {
  if (!message.startsWith('{')) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(message)
  } catch {
    return null
  }
  const result: unknown = { logs: [], ...(parsed as object) }
  return isResult(result) ? result : null
}

const isResult = quickAjv({ strict: false })
  .addSchema(schema)
  .compile<Result>({ $ref: 'gateway-messages#/$defs/Result' })

export function evidenceOf(pod: PodFacts): Evidence {
  const ended = (['transfer', 'ffmpeg'] as const).find((name) => (exitCode(pod[name]) ?? 0) !== 0)
  const container = ended === undefined ? null : pod[ended]
  return {
    pod: pod.metadata.name,
    node: pod.node,
    ...(pod.reason === null ? {} : { reason: pod.reason, message: pod.message }),
    ...(ended === undefined || container?.state !== 'terminated'
      ? {}
      : { container: ended, code: container.exitCode, reason: pod.reason ?? container.reason }),
  }
}
