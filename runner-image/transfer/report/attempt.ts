import { commandPercent, stepPercent } from './progress-percent.ts'
import type { ProgressReport, Step, Usage } from '../../../common/gateway/messages.ts'
import type { Expected, Reached } from './progress-percent.ts'

type Position = Pick<ProgressReport, 'status' | 'stage'>

/** State of this attempt: the source of progress reports and of the result. */
export interface Attempt {
  readonly usage: Usage
  moveTo(position: Position): void
  /** @param fetchedPart of the segments of playlists among the inputs, 0 to 1 */
  segmentsFetched(fetchedPart: number): void
  stepStarted(index: number): void
  stepReached(index: number, expected: Expected, reached: Reached): void
  /** @param succeeded false also for a step that was killed */
  stepEnded(index: number, end: { succeeded: boolean; seconds: number; code: number | null }): void
  /** The results of the step are discarded: an earlier one has failed. */
  stepSkipped(index: number): void
  progress(): Omit<ProgressReport, 'logs'>
  /**
   * Returns copies: if the attempt has failed, the step that ran is FAILED and those after it
   * SKIPPED.
   */
  finalSteps(succeeded: boolean): Step[]
}

const nothingKnown = {
  progress_percent: null,
  ffmpeg_command_run_seconds: null,
  exit_code: null,
} as const

/** The files of a playlist take about as long as the work on them, and a single file is not counted. */
const playlistPercent = 50
const tenths = 10

export function createAttempt(stepCount: number): Attempt {
  const steps = Array.from({ length: stepCount }, (_, index): Step => ({
    index,
    status: 'QUEUED',
    ...nothingKnown,
  }))
  const expectedSeconds: (number | null)[] = steps.map(() => null)
  const usage: Usage = {
    inputBytes: 0,
    outputBytes: 0,
    ffmpegStarted: false,
    ffmpegRunSeconds: null,
  }
  let position: Position = { status: 'PROCESSING', stage: 'DOWNLOADING' }
  let percent: number | null = null
  /** Percent of the command that its download is. */
  let fetchPercent = 0

  function change(index: number, changes: Partial<Step>): void {
    const step = steps[index]
    if (step === undefined) throw new Error(`the plan has no step ${String(index)}`)
    Object.assign(step, changes)
    const seconds = steps.flatMap((each) => each.ffmpeg_command_run_seconds ?? [])
    usage.ffmpegRunSeconds = seconds.length === 0 ? null : seconds.reduce((a, b) => a + b)
  }

  return {
    usage,
    moveTo(next) {
      position = next
    },
    segmentsFetched(fetchedPart) {
      fetchPercent = playlistPercent
      const reached = Math.round(fetchedPart * playlistPercent * tenths) / tenths
      percent = Math.max(reached, percent ?? 0)
    },
    stepStarted(index) {
      usage.ffmpegStarted = true
      change(index, { status: 'PROCESSING' })
    },
    stepReached(index, expected, reached) {
      expectedSeconds[index] = expected.seconds
      change(index, {
        progress_percent: stepPercent(expected, reached, steps[index]?.progress_percent ?? null),
      })
      const weighed = steps.map((step, at) => ({
        percent: step.progress_percent,
        expectedSeconds: expectedSeconds[at] ?? null,
      }))
      percent = commandPercent(weighed, percent, fetchPercent)
    },
    stepEnded(index, { succeeded, seconds, code }) {
      change(index, {
        status: succeeded ? 'SUCCESS' : 'FAILED',
        ffmpeg_command_run_seconds: seconds,
        exit_code: code,
        ...(succeeded ? { progress_percent: 100 } : {}),
      })
    },
    stepSkipped(index) {
      change(index, { status: 'SKIPPED', ...nothingKnown })
    },
    progress: () => ({
      ...position,
      progressPercent: percent,
      steps: steps.map((step) => ({ ...step })),
    }),
    finalSteps: (succeeded) =>
      steps.map((step) => ({ ...step, ...(succeeded ? {} : { status: failedStatus(step) }) })),
  }
}

function failedStatus({ status }: Step): Step['status'] {
  if (status === 'PROCESSING') return 'FAILED'
  return status === 'QUEUED' ? 'SKIPPED' : status
}
