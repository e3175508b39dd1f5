import type { Registry } from 'prom-client'
import { counter, histogram } from '../../runtime/metrics.ts'
import type { LifecycleObserver } from './observer.ts'
import { stagesOfAttempt, stagesOfCommand } from './stage-times.ts'
import type { StageTime } from './stage-times.ts'

/** Upper bounds in seconds; the longest run that a plan allows by default takes a day. */
export const longSeconds = [
  0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400,
]

export interface LifecycleMetrics extends LifecycleObserver {
  stage(time: StageTime): void
}

/** Once per registry. */
export function createLifecycleMetrics(registry: Registry): LifecycleMetrics {
  const stages = histogram(
    registry,
    'stage_seconds',
    'Time of commands in each stage, observed once, by the process that committed its end.',
    ['stage', 'outcome'],
    longSeconds,
  )
  const bytes = counter(
    registry,
    'transfer_bytes_total',
    'Bytes that runners fetched (in) and stored (out), of commands and of work on stored files.',
    ['direction'],
  )
  const sizes = histogram(
    registry,
    'transfer_file_bytes',
    'Bytes of all inputs of a command together (in), and of each output (out).',
    ['direction'],
    [1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11],
  )
  for (const direction of ['in', 'out']) bytes.inc({ direction }, 0)
  const stage = ({ stage: name, outcome, seconds }: StageTime): void =>
    stages.observe({ stage: name, outcome }, seconds)
  return {
    stage,
    ended(command, { usage, outcome }) {
      if (command !== null) stagesOfCommand(command).forEach(stage)
      if (usage !== null) {
        bytes.inc({ direction: 'in' }, usage.inputBytes)
        bytes.inc({ direction: 'out' }, usage.outputBytes)
        if (usage.inputBytes > 0) sizes.observe({ direction: 'in' }, usage.inputBytes)
      }
      if (outcome.status === 'FAILED') return
      for (const { sizeBytes } of outcome.files) sizes.observe({ direction: 'out' }, sizeBytes)
    },
    attemptLost: (attempt) => stagesOfAttempt(attempt, 'lost').forEach(stage),
    mirrored: (seconds) => stage({ stage: 'mirror', outcome: 'ok', seconds }),
  }
}
