import { diskFullSentence, outOfMemorySentence } from '../../common/domain/failures.ts'
import type { ErrorStatus } from '../../common/domain/failures.ts'
import type { Exited } from '../link/messages.ts'
import { largePicture } from './large-picture.ts'

export interface ExitContext {
  readonly capSeconds: number
  readonly fileBytes: number | null
  readonly scratchBytes: number
  readonly fileCount: number
  /** Memory limit of the ffmpeg container; null = unknown. */
  readonly memoryBytes: number | null
  /** Aliases of the inputs. */
  readonly inputs: readonly string[]
}

export interface ExitFailure {
  readonly status: ErrorStatus
  readonly sentence: string
  /** Whether FFmpeg's last lines give details: they do if FFmpeg itself reported the error. */
  readonly withLog: boolean
}

/**
 * Meaning of the end of an FFmpeg process; null = success. Our own timers and limits win over exit
 * codes, because killed processes exit in many ways. FFmpeg 7.1 exits with the low byte of its
 * negative error: 243 is EACCES, 228 ENOSPC, 183 invalid data.
 */
export function exitFailure(exited: Exited, context: ExitContext): ExitFailure | null {
  if (exited.reason !== null) return endedByUs(exited.reason, exited, context)
  if (exited.code === 0) return null
  if (exited.oom || killed(exited)) return outOfMemory(context)
  if (!isDiskFull(exited) && lacksThread(exited)) return tooManyThreads
  if (exited.code === 244) return outOfMemory(context)
  return exited.code === null
    ? crashed(exited.signal ?? 'unknown signal', context)
    : endedByItself(exited.code, exited, context)
}

function endedByUs(
  reason: NonNullable<Exited['reason']>,
  { threadRefused }: Exited,
  context: ExitContext,
): ExitFailure {
  switch (reason) {
    case 'timeout':
      return timedOut(threadRefused, context)
    case 'file_count':
      return without(
        'OUTPUT_TOO_LARGE',
        `FFmpeg wrote more than ${String(context.fileCount)} files; longer segments or a lower frame rate make fewer`,
      )
    case 'file_bytes':
      return tooLarge(context)
    case 'scratch_bytes':
    case 'free_space':
      return diskFull(context)
    case 'cancelled':
      return without('CANCELLED', 'Cancelled by request')
    case 'not_started':
      return threadRefused ? tooManyThreads : without('INTERNAL_ERROR', 'Internal error')
    case 'interrupted':
    case 'input_incomplete':
    case 'unmeasured':
      return without('INTERNAL_ERROR', 'Internal error')
  }
}

function endedByItself(code: number, exited: Exited, context: ExitContext): ExitFailure {
  const { tail, progressed } = exited
  const denied = /Operation not permitted/.test(tail)
  if (isDiskFull(exited)) return diskFull(context)
  const picture = largePicture(tail, context.inputs)
  if (picture !== null) return without('INPUT_TOO_LARGE', picture)
  switch (code) {
    case 153:
    case 229:
      return tooLarge(context)
    case 228:
      return diskFull(context)
    case 134:
    case 139:
      return crashed(code === 134 ? 'SIGABRT' : 'SIGSEGV', context)
    case 243:
      return forbidden
    case 251:
    case 255:
      if (denied) return forbidden
      return isCutShort(tail) ? withLog('INVALID_INPUT_FILE', unreadableInput(tail)) : failed(code)
    case 183:
      // libx265 returns it for settings that it does not accept, such as an odd side
      if (/Cannot open libx265 encoder/.test(tail)) return failed(code)
      return withLog('INVALID_INPUT_FILE', unreadableInput(tail))
    case 1:
    case 8:
    case 254:
      return refused
    default:
      if (isCutShort(tail)) return withLog('INVALID_INPUT_FILE', unreadableInput(tail))
      return refusals.has(code) && !progressed ? refused : failed(code)
  }
}

/** libx265 waits without end for a thread that it did not get. */
function timedOut(threadRefused: boolean, { capSeconds }: ExitContext): ExitFailure {
  const seconds = capSeconds === 1 ? '1 second' : `${String(capSeconds)} seconds`
  const cap = `stopped after ${seconds} (max_command_run_seconds)`
  const before = threadRefused ? `. Before that it ${needsThreads}` : ''
  return without('COMMAND_TIMEOUT', `FFmpeg timed out: ${cap}${before}`)
}

/** A muxer that opens its files itself reports any failure as EIO. */
function isDiskFull({ tail }: Exited): boolean {
  return /No space left on device/.test(tail)
}

/**
 * Exit codes of FFmpeg if it does not understand or not support the command and nothing has been
 * made yet: invalid argument (EINVAL), out of range (ERANGE), not implemented (ENOSYS,
 * AVERROR_PATCHWELCOME), an experimental codec without `-strict`.
 */
const refusals: ReadonlySet<number> = new Set([234, 222, 218, 176, 88])

/** An input that ends within its header: then FFmpeg exits as it does for other errors. */
function isCutShort(tail: string): boolean {
  return /Error opening input file \.\.\/in\/.*\n.*: (?:End of file|Input\/output error)/.test(tail)
}

/**
 * A SIGKILL that we did not send is the kernel's, for memory; no other process can signal this one.
 */
function killed(exited: Exited): boolean {
  return exited.signal === 'SIGKILL' || exited.code === 137
}

function crashed(signal: string, context: ExitContext): ExitFailure {
  return signal === 'SIGXFSZ'
    ? tooLarge(context)
    : withLog('FFMPEG_CRASHED', `FFmpeg crashed (${signal})`)
}

function outOfMemory({ memoryBytes }: ExitContext): ExitFailure {
  return without('OUT_OF_MEMORY', outOfMemorySentence(memoryBytes))
}

function tooLarge({ fileBytes }: ExitContext): ExitFailure {
  const size = fileBytes === null ? '' : `${String(roundedTo(fileBytes / 1024 ** 2, 1))} MB, `
  return without(
    'OUTPUT_TOO_LARGE',
    `An output exceeded ${size}the largest file that the plan allows; lower its bitrate or split it`,
  )
}

function diskFull({ scratchBytes }: ExitContext): ExitFailure {
  return without('DISK_FULL', diskFullSentence(scratchBytes))
}

function unreadableInput(tail: string): string {
  const alias = /Error opening input file \.\.\/in\/(in_\w+)/.exec(tail)?.[1]
  return `${alias ?? 'An input'} is not a media file that FFmpeg can read`
}

function roundedTo(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}

function failed(code: number): ExitFailure {
  return withLog('FFMPEG_FAILED', `FFmpeg ended with exit code ${String(code)}`)
}

const needsThreads =
  'needed more threads than the node allows its pod; fewer inputs, outputs and filters in one command, or lower -threads, take fewer'
const tooManyThreads = withLog('FFMPEG_FAILED', `FFmpeg ${needsThreads}`)
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

/**
 * Whether a run ended because its pod reached the node's limit of threads and processes. The exit
 * code does not show it: of Debian's encoders libx264 ends with 187, libvpx and libaom with 183
 * (invalid data), SVT-AV1 with 244 (no memory), rav1e with an abort, and libx265 not at all.
 */
export function lacksThread({ code, signal, threadRefused, tail }: Exited): boolean {
  if (code === null ? signal === 'SIGXFSZ' : explained.has(code)) return false
  return threadRefused || threadRefusals.test(tail)
}

/**
 * Ends with a reason of their own, even if the kernel refused something else: usage, files,
 * permissions.
 */
const explained: ReadonlySet<number> = new Set([1, 8, 153, 228, 229, 243, 254])

/**
 * Used if the count of the kernel cannot be read: see `pidsGroup`. FFmpeg, libvpx and libaom,
 * SVT-AV1, rav1e.
 */
const threadRefusals =
  /pthread_create\(\) failed: Resource temporarily unavailable|thread creation failed|Failed to create thread:|ThreadPoolBuildError/
