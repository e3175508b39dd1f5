import type { ErrorStatus } from '../../common/failures.ts'
import type { Exited } from '../link/messages.ts'

export interface ExitContext {
  readonly capSeconds: number
  readonly fileBytes: number | null
  readonly scratchBytes: number
  readonly fileCount: number
  /** Memory limit of the ffmpeg container; null = unknown. */
  readonly memoryBytes: number | null
}

export interface ExitFailure {
  readonly status: ErrorStatus
  readonly sentence: string
  /** Whether FFmpeg's last lines say more: they do where FFmpeg itself gave up. */
  readonly withLog: boolean
}

/**
 * What the end of an FFmpeg process means; null = it ended well. Our own timers and limits win
 * over exit codes, because what we killed exits in many ways. FFmpeg 7.1 exits with the low byte
 * of its negative error: 243 is EACCES, 228 ENOSPC, 183 invalid data.
 */
export function exitFailure(exited: Exited, context: ExitContext): ExitFailure | null {
  if (exited.reason !== null) return endedByUs(exited.reason, context)
  if (exited.code === 0) return null
  if (exited.oom || exited.code === 244 || killed(exited)) return outOfMemory(context)
  return exited.code === null
    ? crashed(exited.signal ?? 'unknown signal')
    : endedByItself(exited.code, exited)
}

function endedByUs(reason: NonNullable<Exited['reason']>, context: ExitContext): ExitFailure {
  switch (reason) {
    case 'timeout':
      return without(
        'COMMAND_TIMEOUT',
        `FFmpeg timed out: stopped after ${String(context.capSeconds)} seconds (max_command_run_seconds)`,
      )
    case 'file_count':
      return without(
        'OUTPUT_TOO_LARGE',
        `FFmpeg wrote more than ${String(context.fileCount)} files`,
      )
    case 'scratch_bytes':
    case 'free_space':
      return diskFull(context)
    case 'cancelled':
      return without('CANCELLED', 'Cancelled by request')
    case 'interrupted':
    case 'input_incomplete':
    case 'not_started':
      return without('INTERNAL_ERROR', 'Internal error')
  }
}

function endedByItself(code: number, { tail, progressed }: Exited): ExitFailure {
  const denied = /Operation not permitted/.test(tail)
  switch (code) {
    case 153:
    case 229:
      return without('OUTPUT_TOO_LARGE', 'An output exceeded the largest file that the plan allows')
    case 228:
      return without('DISK_FULL', 'The working disk is full')
    case 134:
    case 139:
      return crashed(code === 134 ? 'SIGABRT' : 'SIGSEGV')
    case 243:
      return forbidden
    case 251:
    case 255:
      return denied ? forbidden : failed(code)
    case 183:
      return withLog('INVALID_INPUT_FILE', unreadableInput(tail))
    case 1:
    case 8:
    case 254:
      return refused
    case 234:
      return progressed ? failed(code) : refused
    default:
      return failed(code)
  }
}

/** SIGKILL that is not ours is the kernel's, for memory; no one else could reach the process. */
function killed(exited: Exited): boolean {
  return exited.signal === 'SIGKILL' || exited.code === 137
}

function crashed(signal: string): ExitFailure {
  return signal === 'SIGXFSZ'
    ? without('OUTPUT_TOO_LARGE', 'An output exceeded the largest file that the plan allows')
    : withLog('FFMPEG_CRASHED', `FFmpeg crashed (${signal})`)
}

function outOfMemory({ memoryBytes }: ExitContext): ExitFailure {
  return without(
    'OUT_OF_MEMORY',
    memoryBytes === null
      ? 'FFmpeg needed more memory than its vCPUs come with'
      : `FFmpeg needed more than ${String(Math.round(memoryBytes / 1024 ** 2))} MB of memory`,
  )
}

function diskFull({ scratchBytes }: ExitContext): ExitFailure {
  const gigabytes = Math.round((scratchBytes / 1024 ** 3) * 10) / 10
  return without('DISK_FULL', `The working disk of ${String(gigabytes)} GB is full`)
}

function unreadableInput(tail: string): string {
  const alias = /Error opening input file \.\.\/in\/(in_\w+)/.exec(tail)?.[1]
  return `${alias ?? 'An input'} is not a media file that FFmpeg can read`
}

function failed(code: number): ExitFailure {
  return withLog('FFMPEG_FAILED', `FFmpeg ended with exit code ${String(code)}`)
}

const refused = withLog('INVALID_COMMAND', 'FFmpeg refused the command')
const forbidden = withLog(
  'FORBIDDEN_OPERATION',
  'The command tried to use something outside its working directory',
)

function withLog(status: ErrorStatus, sentence: string): ExitFailure {
  return { status, sentence, withLog: true }
}

function without(status: ErrorStatus, sentence: string): ExitFailure {
  return { status, sentence, withLog: false }
}
