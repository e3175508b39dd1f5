import { failures } from '../../common/domain/failures.ts'
import type { ErrorStatus, FailureEntry } from '../../common/domain/failures.ts'

/** What usually leads to each, and an `error_message` of it. A new kind needs both. */
const cases: Readonly<Record<ErrorStatus, { readonly cause: string; readonly example: string }>> = {
  UNREACHABLE_INPUT_FILE: {
    cause:
      'The URL needs a login, is expired, answers 404 or a web page, or resolves to a private address.',
    example: 'in_1: answered 404',
  },
  INPUT_TOO_LARGE: {
    cause: 'The file is above the limit of the plan per file, or does not fit the working disk.',
    example: 'in_1: the working disk is full',
  },
  INVALID_INPUT_FILE: {
    cause: 'The file is cut off, encrypted, or of a format that FFmpeg does not read.',
    example: 'An input file is not one that FFmpeg can read: moov atom not found',
  },
  INVALID_COMMAND: {
    cause: 'An option, filter, encoder or stream name is misspelt, or does not fit the input.',
    example: "FFmpeg refused the command: No such filter: 'scal' (at character 17)",
  },
  FORBIDDEN_OPERATION: {
    cause: 'The command names a path, a URL or a device in place of a placeholder.',
    example: 'The command tried to use something outside its working directory',
  },
  FFMPEG_FAILED: {
    cause:
      'FFmpeg ended with a code other than 0 while it worked, after it had accepted the command.',
    example: 'FFmpeg ended with an error: Conversion failed!',
  },
  FFMPEG_CRASHED: {
    cause: 'A defect of FFmpeg or of one of its libraries, often with a damaged input.',
    example: 'FFmpeg crashed',
  },
  COMMAND_TIMEOUT: {
    cause: 'The command needs more time than `max_command_run_seconds`, or its input has no end.',
    example: 'FFmpeg timed out',
  },
  OUT_OF_MEMORY: {
    cause: 'Large pictures, many inputs, or filters that keep many frames, such as `reverse`.',
    example: 'FFmpeg needed more than 2048 MB of memory; more vCPUs come with more memory',
  },
  OUTPUT_TOO_LARGE: {
    cause: 'The output is above the limit of the plan per file; lossless encoders reach it soon.',
    example: 'An output is larger than the plan allows',
  },
  DISK_FULL: {
    cause: 'Inputs, outputs and what is between the steps of a chain are too large together.',
    example: 'The working disk of 20 GB is full; inputs, outputs and all in between share it',
  },
  MISSING_OUTPUT_FILE: {
    cause:
      'The command writes to another name, or selects no frame: `-ss` beyond the end, for example.',
    example: 'OUTPUT_FOLDER: the command wrote no file',
  },
  QUOTA_EXCEEDED: {
    cause: 'Stored files and this one exceed the storage of the plan.',
    example: 'The file does not fit the storage quota',
  },
  UPLOAD_EXPIRED: {
    cause: 'An upload was begun and not completed in time.',
    example: 'The upload session expired',
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
    cause: 'No node has room for the pod, or its image cannot be pulled.',
    example: 'No runner started in time',
  },
  RUNNER_LOST: {
    cause: 'The node or the pod was lost, again in each attempt.',
    example: 'The runner was lost each time',
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
      const { cause, example } = cases[status as ErrorStatus]
      return [
        `### ${status}`,
        `${entry.sentence}. The cause is in most cases ${faults[entry.fault]}.`,
        `- Cause: ${cause}\n- Remedy: ${entry.remedy}\n- Again: ${again[entry.again]}\n- Example: \`${example}\``,
      ].join('\n\n')
    })
    .join('\n\n')
}
