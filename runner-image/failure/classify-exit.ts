import type { ErrorStatus } from '../../common/failures.ts'
import type { EndReason, Exited } from '../link/messages.ts'

/** What of an exit decides the verdict. */
export type ExitFacts = Pick<Exited, 'code' | 'signal' | 'reason' | 'oom' | 'progressed' | 'tail'>

/**
 * The verdict on a run of FFmpeg 7.1, whose exit code is the low byte of a negative error: of an
 * errno or of a tag of FFmpeg's own. Our own timers and limits win over any code, because the code
 * then only tells how FFmpeg took the signal.
 * @returns null for exit 0, which is not yet success: an output may still be missing
 */
export function classifyExit(exit: ExitFacts): ErrorStatus | null {
  if (exit.reason !== null) return ofReason[exit.reason]
  if (exit.code === 0) return null
  if (exit.signal !== null) return ofSignal(exit.signal)
  if (exit.oom) return 'OUT_OF_MEMORY'
  return ofCode(exit.code ?? 0, exit)
}

const ofReason: Record<EndReason, ErrorStatus> = {
  timeout: 'COMMAND_TIMEOUT',
  cancelled: 'CANCELLED',
  input_incomplete: 'UNREACHABLE_INPUT_FILE',
  scratch_bytes: 'DISK_FULL',
  free_space: 'DISK_FULL',
  file_count: 'OUTPUT_TOO_LARGE',
  // neither is the command's fault, and another attempt may fare better
  not_started: 'INTERNAL_ERROR',
  interrupted: 'INTERNAL_ERROR',
}

function ofSignal(signal: string): ErrorStatus {
  switch (signal) {
    case 'SIGKILL':
      // nobody here sent it: the kernel did, for memory
      return 'OUT_OF_MEMORY'
    case 'SIGXFSZ':
      return 'OUTPUT_TOO_LARGE'
    default:
      return 'FFMPEG_CRASHED'
  }
}

function ofCode(code: number, { progressed, tail }: ExitFacts): ErrorStatus {
  switch (code) {
    case 153: // SIGXFSZ, as a shell counts
    case 229: // EFBIG
      return 'OUTPUT_TOO_LARGE'
    case 228: // ENOSPC
      return 'DISK_FULL'
    case 137: // SIGKILL
    case 244: // ENOMEM
      return 'OUT_OF_MEMORY'
    case 243: // EACCES, Landlock's answer
    case 255: // EPERM, the answer of our seccomp filter
      return 'FORBIDDEN_OPERATION'
    case 251: // EIO: some protocols hide the reason behind it
      return tail.includes('Operation not permitted') ? 'FORBIDDEN_OPERATION' : 'FFMPEG_FAILED'
    case 183: // AVERROR_INVALIDDATA
      return 'INVALID_INPUT_FILE'
    case 1: // usage
    case 8: // AVERROR_OPTION_NOT_FOUND, AVERROR_FILTER_NOT_FOUND, AVERROR_ENCODER_NOT_FOUND
    case 254: // ENOENT
      return 'INVALID_COMMAND'
    case 234: // EINVAL: after the first progress the command line had been accepted
      return progressed ? 'FFMPEG_FAILED' : 'INVALID_COMMAND'
    case 134: // SIGABRT
    case 139: // SIGSEGV
      return 'FFMPEG_CRASHED'
    default:
      return 'FFMPEG_FAILED'
  }
}
