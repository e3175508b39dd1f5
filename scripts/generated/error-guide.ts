import { failures } from '../../common/domain/failures.ts'
import type { ErrorStatus, FailureEntry } from '../../common/domain/failures.ts'

/** Usual cause of each, and an `error_message` of it. A new kind needs both. */
export const errorExamples: Readonly<
  Record<ErrorStatus, { readonly cause: string; readonly example: string }>
> = {
  UNREACHABLE_INPUT_FILE: {
    cause:
      'The URL needs a login, is expired, answers 404 or a web page, or resolves to a private address.',
    example: 'in_1: https://media.example.com/clip.mp4 answered 404 Not Found',
  },
  INPUT_TOO_LARGE: {
    cause: 'The file is above the limit of the plan per file, or does not fit the working disk.',
    example: 'in_1: the inputs do not fit the working disk of 1024 MB',
  },
  INVALID_INPUT_FILE: {
    cause: 'The file is cut off, encrypted, or of a format that FFmpeg does not read.',
    example:
      'in_1 is not a media file that FFmpeg can read: [mov,mp4,m4a,3gp,3g2,mj2] moov atom not found',
  },
  INVALID_COMMAND: {
    cause: 'An option, filter, encoder or stream name is misspelt, or does not fit the input.',
    example: "FFmpeg refused the command: No such filter: 'scal' (at character 37)",
  },
  FORBIDDEN_OPERATION: {
    cause: 'The command names a path, a URL or a device in place of a placeholder.',
    example: 'The command tried to use something outside its working directory',
  },
  FFMPEG_FAILED: {
    cause:
      'FFmpeg ended with a code other than 0 while it worked, after it had accepted the command.',
    example:
      'FFmpeg ended with exit code 187: [libx264] width not divisible by 2 (127x95); both sides must be even: write scale=126:94',
  },
  FFMPEG_CRASHED: {
    cause: 'A defect of FFmpeg or of one of its libraries, often with a damaged input.',
    example: 'FFmpeg crashed (SIGSEGV)',
  },
  COMMAND_TIMEOUT: {
    cause: 'The command needs more time than `max_command_run_seconds`, or its input has no end.',
    example: 'FFmpeg timed out: stopped after 300 seconds (max_command_run_seconds)',
  },
  OUT_OF_MEMORY: {
    cause: 'Large pictures, many inputs, or filters that keep many frames, such as `reverse`.',
    example: 'FFmpeg needed more than 2048 MB of memory; more vCPUs come with more memory',
  },
  OUTPUT_TOO_LARGE: {
    cause: 'The output is above the limit of the plan per file; lossless encoders reach it soon.',
    example:
      'An output exceeded 500 MB, the largest file that the plan allows; lower its bitrate or split it',
  },
  DISK_FULL: {
    cause: 'Inputs, outputs and what is between the steps of a chain are too large together.',
    example: 'The working disk of 20 GB is full; inputs, outputs and all in between share it',
  },
  MISSING_OUTPUT_FILE: {
    cause:
      'The command writes to another name, or selects no frame: `-ss` beyond the end, for example.',
    example:
      'out_1 (out.mp4) was not written or is empty: nothing was encoded; check -ss, -t, -to and -frames, and what the filters let through',
  },
  QUOTA_EXCEEDED: {
    cause:
      'The outputs do not fit the storage that is left, or the month has no processing quota left; the message names the quota.',
    example: 'The outputs need 3.2 MB, 1.5 MB of storage are left',
  },
  UPLOAD_EXPIRED: {
    cause: 'An upload was begun and not completed in time.',
    example: 'Upload session expired after 1 hour',
  },
  CANCELLED: {
    cause: 'A call, `kubectl` or the console ended the command.',
    example: 'Cancelled by request',
  },
  STORAGE_ERROR: {
    cause: 'The bucket refused the output or did not answer.',
    example: 'out_1 could not be stored: storage could not be reached',
  },
  START_TIMEOUT: {
    cause:
      'The image cannot be pulled, or for a day no node had room or the cluster refused the runner.',
    example: 'No runner started within 600 seconds',
  },
  RUNNER_LOST: {
    cause: 'The node or the pod was lost, again in each attempt.',
    example: 'The runner was lost 3 times',
  },
  INTERNAL_ERROR: {
    cause: 'A defect of the service.',
    example: 'Internal error',
  },
}

const faults: Readonly<Record<FailureEntry['fault'], string>> = {
  caller: 'the command',
  input: 'the server of the input',
  destination: 'the storage',
  service: 'the service',
}

const again: Readonly<Record<FailureEntry['again'], string>> = {
  no: 'It fails in the same way when it is run again.',
  maybe: 'It may succeed when it is run again.',
  yes: 'Run it again.',
}

/** A section for each `error_status`; its anchor is the name in lower case. */
export function errorGuide(): string {
  return Object.entries<FailureEntry>(failures)
    .map(([status, entry]) => {
      const { cause, example } = errorExamples[status as ErrorStatus]
      return [
        `### ${status}`,
        `${entry.sentence}. The cause is in most cases ${faults[entry.fault]}.`,
        `- Cause: ${cause}\n- Remedy: ${entry.remedy}\n- Again: ${again[entry.again]}\n- Example: \`${example}\``,
      ].join('\n\n')
    })
    .join('\n\n')
}
