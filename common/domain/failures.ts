/** Party at fault; used to label metrics and alerts. */
export type Fault = 'caller' | 'input' | 'destination' | 'service'

export interface FailureEntry {
  /** At fault in most cases; metrics and alerts separate users' errors from ours by it. */
  readonly fault: Fault
  /** Whether the unchanged request can succeed later. */
  readonly again: 'no' | 'maybe' | 'yes'
  /** Sentence for users where the place that failed had nothing better to say. */
  readonly sentence: string
  /** Remedy for the reader, as a sentence. */
  readonly remedy: string
}

/** The closed list of `error_status`. It grows only with a minor version: clients switch on it. */
export const failures = {
  UNREACHABLE_INPUT_FILE: {
    fault: 'input',
    again: 'maybe',
    sentence: 'An input file could not be fetched',
    remedy:
      'Open the URL of the input without a login; it must answer 200 from where the service runs. Upload a file again that was deleted here.',
  },
  INPUT_TOO_LARGE: {
    fault: 'caller',
    again: 'no',
    sentence: 'An input file is larger than the plan allows',
    remedy: 'Use a smaller input, or a plan with a higher limit per file.',
  },
  INVALID_INPUT_FILE: {
    fault: 'caller',
    again: 'no',
    sentence: 'An input file is not one that FFmpeg can read',
    remedy:
      'Check that the URL leads to the media itself and not to a page, and that the file is complete.',
  },
  INVALID_COMMAND: {
    fault: 'caller',
    again: 'no',
    sentence: 'FFmpeg refused the command',
    remedy:
      'Correct the command; the message names the option, filter or file that FFmpeg refused.',
  },
  FORBIDDEN_OPERATION: {
    fault: 'caller',
    again: 'no',
    sentence: 'The command tried to use something outside its working directory',
    remedy:
      'Declare each file as an input or output and use its placeholder; commands reach no network.',
  },
  FFMPEG_FAILED: {
    fault: 'caller',
    again: 'no',
    sentence: 'FFmpeg ended with an error',
    remedy: 'Read the end of the log; its last errors name the cause.',
  },
  FFMPEG_CRASHED: {
    fault: 'caller',
    again: 'maybe',
    sentence: 'FFmpeg crashed',
    remedy: 'Try other filters or an encoder; the log shows the last work before the crash.',
  },
  COMMAND_TIMEOUT: {
    fault: 'caller',
    again: 'no',
    sentence: 'FFmpeg timed out',
    remedy: 'Raise max_command_run_seconds, use more vCPUs, or make the command faster.',
  },
  OUT_OF_MEMORY: {
    fault: 'caller',
    again: 'no',
    sentence: 'FFmpeg needed more memory than its vCPUs come with',
    remedy: 'Ask for more vCPUs, which come with more memory, or for a smaller picture.',
  },
  OUTPUT_TOO_LARGE: {
    fault: 'caller',
    again: 'no',
    sentence: 'An output is larger than the plan allows',
    remedy: 'Lower the bit rate, the size or the length of the output.',
  },
  DISK_FULL: {
    fault: 'caller',
    again: 'no',
    sentence: 'The working disk is full',
    remedy: 'Make less data at a time: inputs, outputs and all in between share the working disk.',
  },
  MISSING_OUTPUT_FILE: {
    fault: 'caller',
    again: 'no',
    sentence: 'A declared output was not written or is empty',
    remedy:
      'Check that the command writes to the placeholder of each declared output, and that its inputs have the streams that it maps.',
  },
  QUOTA_EXCEEDED: {
    fault: 'caller',
    again: 'maybe',
    sentence: 'A quota of the plan is used up, or too little of it is left',
    remedy:
      'Delete files if it is the storage quota, wait for the next month if it is the processing quota, or use a plan with more.',
  },
  UPLOAD_EXPIRED: {
    fault: 'caller',
    again: 'no',
    sentence: 'The upload session expired',
    remedy: 'Begin the upload again and complete it within its session.',
  },
  CANCELLED: {
    fault: 'caller',
    again: 'yes',
    sentence: 'Cancelled by request',
    remedy: 'Run it again if it was cancelled by mistake.',
  },
  STORAGE_ERROR: {
    fault: 'destination',
    again: 'yes',
    sentence: 'An output could not be stored',
    remedy: 'Run it again; if it fails again, the administrator has to check the storage.',
  },
  START_TIMEOUT: {
    fault: 'service',
    again: 'yes',
    sentence: 'No runner started in time',
    remedy: 'Run it again; if it fails again, the administrator has to check the cluster.',
  },
  RUNNER_LOST: {
    fault: 'service',
    again: 'yes',
    sentence: 'The runner was lost each time',
    remedy: 'Run it again; if it fails again, the administrator has to check the nodes.',
  },
  INTERNAL_ERROR: {
    fault: 'service',
    again: 'yes',
    sentence: 'Internal error',
    remedy: 'Run it again; if it fails again, report the id of the command.',
  },
} as const satisfies Record<string, FailureEntry>

/** @param bytes memory limit of the container; null = unknown */
export function outOfMemorySentence(bytes: number | null): string {
  const remedy = 'more vCPUs come with more memory'
  return bytes === null
    ? `${failures.OUT_OF_MEMORY.sentence}; ${remedy}`
    : `FFmpeg needed more than ${String(Math.round(bytes / 1024 ** 2))} MB of memory; ${remedy}`
}

/** @param bytes of the working disk */
export function diskFullSentence(bytes: number): string {
  const gigabytes = Math.round((bytes / 1024 ** 3) * 10) / 10
  return `The working disk of ${String(gigabytes)} GB is full; inputs, outputs and all in between share it`
}

export type ErrorStatus = keyof typeof failures

/** Failures of a stored file. */
export type FileErrorStatus =
  | 'UNREACHABLE_INPUT_FILE'
  | 'INPUT_TOO_LARGE'
  | 'QUOTA_EXCEEDED'
  | 'UPLOAD_EXPIRED'
  | 'CANCELLED'
  | 'STORAGE_ERROR'
  | 'START_TIMEOUT'
  | 'RUNNER_LOST'
  | 'INTERNAL_ERROR'

/**
 * Failure that a stored file shows. Probing never fails a file, so the rest are
 * the causes that a fetch can have: a full disk is a file that is too large for it.
 */
export function fileErrorStatus(status: ErrorStatus): FileErrorStatus {
  switch (status) {
    case 'UNREACHABLE_INPUT_FILE':
    case 'INPUT_TOO_LARGE':
    case 'QUOTA_EXCEEDED':
    case 'UPLOAD_EXPIRED':
    case 'CANCELLED':
    case 'STORAGE_ERROR':
    case 'START_TIMEOUT':
    case 'RUNNER_LOST':
      return status
    case 'DISK_FULL':
      return 'INPUT_TOO_LARGE'
    default:
      return 'INTERNAL_ERROR'
  }
}

export function isErrorStatus(text: string): text is ErrorStatus {
  return Object.hasOwn(failures, text)
}

/**
 * Exit codes of the `transfer` container. 0 and 20 to 29 say that an outcome is recorded, everything
 * from 40 on that the attempt is lost. Earlier runners left with 20 to 28 after a recorded failure.
 */
export const transferExit = {
  /** The outcome is recorded, whichever it is: the pod has done its work and the Job is complete. */
  recorded: 0,
  /**
   * An outcome is recorded, but the service is at fault or the other container has failed: the Job
   * fails.
   */
  recordedFault: 29,
  /** Another attempt holds the command; the Job must neither complete nor fail by this pod. */
  superseded: 30,
  /** SIGTERM arrived before the end. */
  interrupted: 31,
  gatewayUnreachable: 41,
  unexpected: 42,
  sandboxUnavailable: 43,
  ffmpegContainerLost: 44,
} as const

/**
 * A failure that was foreseen: an entry of the table and a sentence for the user.
 * Everything else that is thrown is a bug and becomes INTERNAL_ERROR at the process's edge.
 */
export class Failure extends Error {
  readonly status: ErrorStatus

  constructor(status: ErrorStatus, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Failure'
    this.status = status
  }
}

/** Why an attempt was lost whose Job was suspended again by the queue of the cluster: free of charge. */
export const evictedByQueue = 'KueueEvicted'
/** Loss reason of an attempt whose node cannot confine FFmpeg. */
export const sandboxUnavailable = 'SandboxUnavailable'

/** Why an attempt was lost that the cluster took from a node that it may take at any time: free of charge. */
export const lostOnSpot = 'SpotDisrupted'

/** Losses of each of these reasons are counted apart from all others. */
export const countedApart: readonly string[] = [evictedByQueue, lostOnSpot]
