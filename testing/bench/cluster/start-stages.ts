import { percentile } from '../figure/statistics.ts'
import type { Figure } from '../figure/figure.ts'

/** What happens between the submission of a command and its visible end, in this order. */
export const startStages = [
  'submission-stored',
  'custom-resource-seen',
  'job-seen',
  'pod-seen',
  'pod-scheduled',
  'sandbox-seen',
  'transfer-process-started',
  'assignment-asked',
  'assignment-answered',
  'supervisor-ready',
  'ffmpeg-ended',
  'outputs-probed-and-stored',
  'result-accepted',
  'success-visible',
] as const

/** ms from the request of the submission on; NaN = not seen. */
export type StartTimes = Readonly<Record<(typeof startStages)[number], number>>

/**
 * When each was reached (p50 over all commands), and how long after the one before it (the ratio
 * column: part of the whole). What a watcher sees comes some milliseconds after it has happened.
 */
export function startFigures(commands: readonly StartTimes[]): Figure[] {
  const whole = middle(commands, (times) => times['success-visible'])
  return startStages.flatMap((stage, at): Figure[] => {
    const before = startStages[at - 1]
    const step = middle(commands, (times) => times[stage] - (before ? times[before] : 0))
    return [
      { name: `start.${stage}`, value: middle(commands, (times) => times[stage]), unit: 'ms' },
      { name: `start.${stage}.step`, value: step, unit: 'ms', ratio: step / whole },
    ]
  })
}

function middle(commands: readonly StartTimes[], of: (times: StartTimes) => number): number {
  return percentile(
    commands.map(of).filter((value) => !Number.isNaN(value)),
    0.5,
  )
}
