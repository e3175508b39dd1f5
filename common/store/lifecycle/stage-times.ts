import type { ProcessingStage } from '../../domain/states.ts'
import type { EndedAttempt, EndedCommand } from './observer.ts'

/** Parts of a command's way from its submission to the end that its custom resource shows. */
export type StageName =
  | 'dispatch'
  | 'queue'
  | 'job'
  | 'schedule'
  | 'pod_start'
  | 'assign'
  | 'download'
  | 'prepare'
  | 'ffmpeg'
  | 'upload'
  | 'commit'
  | 'mirror'

/** `lost`: its attempt was lost in this stage; `failed`: the command failed in it. */
export type StageOutcome = 'ok' | 'failed' | 'lost'

export interface StageTime {
  readonly stage: StageName
  readonly outcome: StageOutcome
  readonly seconds: number
}

/** Wait of a command until its admission, and the stages of the attempt that ended it. */
export function stagesOfCommand(command: EndedCommand): StageTime[] {
  const { createdAt, dispatchedAt, admittedAt, finishedAt, attempt, status } = command
  const last = status === 'SUCCESS' ? 'ok' : 'failed'
  const waits = [
    { stage: 'dispatch' as const, from: createdAt, to: dispatchedAt },
    { stage: 'queue' as const, from: dispatchedAt, to: admittedAt },
  ].flatMap(({ stage, from, to }): StageTime[] => {
    if (from === null) return []
    const outcome = to === null ? last : 'ok'
    return [{ stage, outcome, seconds: secondsBetween(from, to ?? finishedAt) }]
  })
  return attempt === null ? waits : [...waits, ...stagesOfAttempt(attempt, last)]
}

/**
 * Each stage lasts until the next one that the runner reported.
 * @param last outcome of the stage in which the attempt ended
 */
export function stagesOfAttempt(
  { claimedAt, endedAt, marks }: EndedAttempt,
  last: StageOutcome,
): StageTime[] {
  const begun: { stage: StageName; at: Date }[] = [{ stage: 'download', at: claimedAt }]
  for (const { stage, at } of marks) {
    const name = stage === undefined || stage === null ? undefined : names[stage]
    if (name === undefined || begun.some((earlier) => earlier.stage === name)) continue
    begun.push({ stage: name, at: new Date(at) })
  }
  return begun.map(({ stage, at }, index) => {
    const next = begun[index + 1]
    const seconds = secondsBetween(at, next?.at ?? endedAt)
    return { stage, outcome: next === undefined ? last : 'ok', seconds }
  })
}

const names: Readonly<Record<ProcessingStage, StageName>> = {
  DOWNLOADING: 'download',
  PREPARING_INPUT_FILES: 'prepare',
  FFMPEG_PROCESSING: 'ffmpeg',
  UPLOADING: 'upload',
}

/** Not below 0: a clock that was set back must not lower the sum of a histogram. */
function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / 1_000
}
