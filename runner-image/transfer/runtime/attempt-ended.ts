import { failures, isErrorStatus, transferExit } from '../../../common/domain/failures.ts'

/** This attempt has nothing left to do or to report: the process ends with the code. */
export class AttemptEnded extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'AttemptEnded'
    this.exitCode = exitCode
  }
}

/** The socket to the supervisor closed: the ffmpeg container exited (cause unknown). */
export class FfmpegContainerLost extends Error {
  constructor(options?: ErrorOptions) {
    super('the link to the ffmpeg container dropped', options)
    this.name = 'FfmpegContainerLost'
  }
}

/**
 * The exit code for an outcome that is recorded. The pod of a command that failed by its own fault
 * did its work: a list of pods shows it as completed, and only faults of the service as errors.
 */
export function verdictExit(status: 'SUCCESS' | 'FAILED', errorStatus: string | null): number {
  if (status === 'SUCCESS') return transferExit.recorded
  const known = errorStatus !== null && isErrorStatus(errorStatus) ? failures[errorStatus] : null
  return known === null || known.fault === 'service'
    ? transferExit.recordedFault
    : transferExit.recorded
}

/** Whether the code says that an outcome is recorded, so that the pod has done its work. */
export function isVerdictExit(exitCode: number): boolean {
  return exitCode === transferExit.recorded || exitCode === transferExit.recordedFault
}
