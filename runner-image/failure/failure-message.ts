import { failures } from '../../common/failures.ts'
import type { ErrorStatus } from '../../common/failures.ts'
import type { Exited, RunLimits } from '../link/messages.ts'
import { readableLog } from './readable-log.ts'

export interface FailedRun {
  readonly status: ErrorStatus
  readonly exited: Pick<Exited, 'code' | 'signal' | 'reason' | 'step' | 'tail'>
  readonly limits: RunLimits
  /** Of the container, where it is known. */
  readonly memoryBytes: number | null
}

export const longestMessage = 4000

/**
 * What the user reads: a sentence with the line that tells the reason, then the end of FFmpeg's
 * log, at most 4,000 characters in all.
 */
export function failureMessage(run: FailedRun): string {
  const log = readableLog(run.exited.tail)
    .split('\n')
    .filter((line) => line !== '')
  const head = sentence(run, log)
  const kept: string[] = []
  let room = longestMessage - head.length
  for (const line of log.toReversed().slice(0, mostLines)) {
    room -= line.length + 1
    if (room < 0) break
    kept.unshift(line)
  }
  const repeated = kept.length === 1 && kept[0] !== undefined && head.endsWith(kept[0])
  return [head, ...(repeated ? [] : kept)].join('\n').slice(0, longestMessage)
}

const mostLines = 20

function sentence({ status, exited, limits, memoryBytes }: FailedRun, log: string[]): string {
  const table = failures[status].sentence
  switch (status) {
    case 'COMMAND_TIMEOUT':
      return `FFmpeg timed out: stopped after ${String(limits.seconds)} seconds (max_command_run_seconds)`
    case 'FFMPEG_CRASHED':
      return `FFmpeg crashed (${exited.signal ?? `exit code ${String(exited.code)}`}) in command ${String(exited.step)}`
    case 'FFMPEG_FAILED':
      return withReason(`FFmpeg ended with exit code ${String(exited.code)}`, log)
    case 'INVALID_COMMAND':
    case 'FORBIDDEN_OPERATION':
      return withReason(table, log)
    case 'INVALID_INPUT_FILE': {
      const alias = /\{\{(\w+)\}\}/.exec(log.toReversed().join('\n'))?.[1]
      return alias === undefined ? table : `${alias} is not a media file that FFmpeg can read`
    }
    case 'OUT_OF_MEMORY':
      return memoryBytes === null
        ? table
        : `FFmpeg needed more than ${megabytes(memoryBytes)} of memory`
    case 'OUTPUT_TOO_LARGE':
      if (exited.reason === 'file_count') {
        return `FFmpeg wrote more than ${String(limits.fileCount)} files`
      }
      return limits.fileBytes === null
        ? table
        : `An output exceeded ${megabytes(limits.fileBytes)}, the largest file that the plan allows`
    case 'DISK_FULL':
      return `The working disk of ${megabytes(limits.scratchBytes)} is full`
    default:
      return table
  }
}

function withReason(head: string, log: readonly string[]): string {
  const reason = log.findLast((line) => !consequence.test(line)) ?? log.at(-1)
  return reason === undefined ? head : `${head}: ${reason.slice(0, 500)}`
}

/** Lines that say only that an earlier one was fatal. */
const consequence =
  /^(Error (splitting the argument list|parsing options|opening (input|output) files?|while filtering|initializing|binding|reinitializing)|Conversion failed|Task finished with error|Terminating thread|\[[^\]]*\] (Task finished with error|Terminating thread|Error sending frames))/

function megabytes(bytes: number): string {
  return `${String(Math.round((bytes / 1_048_576) * 10) / 10)} MB`
}
