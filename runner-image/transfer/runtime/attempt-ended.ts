import { failures, isErrorStatus, transferExit } from '../../../common/domain/failures.ts'

/** This attempt has nothing left to do or to say: the process ends with the code. */
export class AttemptEnded extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'AttemptEnded'
    this.exitCode = exitCode
  }
}

/** The socket to the supervisor dropped: its container died, by whatever. */
export class FfmpegContainerLost extends Error {
  constructor(options?: ErrorOptions) {
    super('the link to the ffmpeg container dropped', options)
    this.name = 'FfmpegContainerLost'
  }
}

/**
 * The exit code for an outcome that is recorded. A failure that only others report has none of
 * its own: any verdict code ends the Job, and the recorded outcome is what counts.
 */
export function verdictExit(status: 'SUCCESS' | 'FAILED', errorStatus: string | null): number {
  if (status === 'SUCCESS') return transferExit.success
  const known = errorStatus !== null && isErrorStatus(errorStatus) ? failures[errorStatus] : null
  return known?.exitCode ?? failures.CANCELLED.exitCode
}

/** Whether the code says that an outcome is recorded, so that the pod has done its work. */
export function isVerdictExit(exitCode: number): boolean {
  return exitCode === transferExit.success || (exitCode >= 20 && exitCode <= 29)
}

/** What an aborted signal was aborted with, as an error that can be thrown. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason })
}
