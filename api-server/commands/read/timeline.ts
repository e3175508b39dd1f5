import { timestamp, timestampOrNull } from '../../http/format.ts'
import { isFinal, processingStages } from '../../../common/domain/states.ts'
import { podWaits } from './pod-waits.ts'
import { waitRecord } from './wait-record.ts'
import type { CommandTimeline } from '../../../common/openapi/openapi-types.ts'
import type { Mark, RecordedTimeline } from '../../../common/store/command-states.ts'

type Wait = CommandTimeline['waits'][number]
type Attempt = CommandTimeline['attempts'][number]
type Stage = Attempt['stages'][number]

/** Durations of the stages, from the times that were recorded on the way. */
export function timelineRecord(recorded: RecordedTimeline): CommandTimeline {
  return {
    command_id: recorded.commandId,
    waits: [...waitsOf(recorded), ...podWaits(recorded, (index) => beganAt(recorded, index))],
    attempts: attemptsOf(recorded),
  }
}

/** Waits for the cluster, and for a place within the limits. */
function waitsOf(recorded: RecordedTimeline): Wait[] {
  const { createdAt, dispatchedAt, admittedAt, finishedAt } = recorded
  const waits: Wait[] = [waitRecord('DISPATCH', createdAt, dispatchedAt ?? finishedAt)]
  if (dispatchedAt === null) return waits
  waits.push(waitRecord(recorded.waitReason, dispatchedAt, admittedAt ?? finishedAt))
  return waits
}

function beganAt({ attempts, admittedAt }: RecordedTimeline, index: number): Date | null {
  const lostAt = attempts[index - 1]?.lostAt ?? null
  return lostAt === null ? admittedAt : new Date(lostAt)
}

/** The time of each begins with its admission, or with the loss of the one before. */
function attemptsOf(recorded: RecordedTimeline): Attempt[] {
  const { admittedAt, finishedAt, attempts } = recorded
  if (admittedAt === null) return []
  const all = attempts.map(({ claimedAt, lostAt }) => ({
    claimedAt: new Date(claimedAt) as Date | null,
    lostAt: lostAt === null ? null : new Date(lostAt),
  }))
  const last = all.at(-1)
  const hasNext = last === undefined || (last.lostAt !== null && !isOver(finishedAt, last.lostAt))
  if (hasNext) all.push({ claimedAt: null, lostAt: null })
  return all.map(({ claimedAt, lostAt }, index) => {
    const startedAt = all[index - 1]?.lostAt ?? admittedAt
    const endedAt = lostAt ?? finishedAt
    const marks = recorded.marks.filter(({ attempt }) => attempt === index + 1)
    return {
      attempt: index + 1,
      started_at: timestamp(startedAt),
      finished_at: timestampOrNull(endedAt),
      end: lostAt === null ? endOf(recorded) : 'LOST',
      stages: stagesOf({ startedAt, claimedAt, endedAt }, marks, recorded),
      steps: index === all.length - 1 ? stepsOf(marks, recorded, endedAt) : [],
    }
  })
}

/** The loss that ended the command has the time of its end. */
function isOver(finishedAt: Date | null, lostAt: Date): boolean {
  return finishedAt !== null && finishedAt.getTime() <= lostAt.getTime()
}

function endOf({ status }: RecordedTimeline): Attempt['end'] {
  return isFinal(status) ? status : null
}

interface Span {
  readonly startedAt: Date
  readonly claimedAt: Date | null
  readonly endedAt: Date | null
}

/** Each stage lasts until the next one that was reported. */
function stagesOf(
  { startedAt, claimedAt, endedAt }: Span,
  marks: readonly Mark[],
  recorded: RecordedTimeline,
): Stage[] {
  const begun: { stage: Stage['stage']; at: Date }[] = [{ stage: 'STARTING', at: startedAt }]
  if (claimedAt !== null) begun.push({ stage: 'DOWNLOADING', at: claimedAt })
  for (const stage of processingStages.slice(1)) {
    const mark = marks.find((one) => one.stage === stage)
    if (mark !== undefined) begun.push({ stage, at: new Date(mark.at) })
  }
  return begun.map(({ stage, at }, index) => ({
    stage,
    started_at: timestamp(at),
    finished_at: timestampOrNull(begun[index + 1]?.at ?? endedAt),
    bytes: bytesOf(stage, recorded),
    files: stage === 'UPLOADING' && recorded.status === 'SUCCESS' ? recorded.outputFiles : null,
  }))
}

function bytesOf(
  stage: Stage['stage'],
  { status, processingBytes, outputBytes }: RecordedTimeline,
): number | null {
  if (status !== 'SUCCESS' || processingBytes === null || outputBytes === null) return null
  if (stage === 'DOWNLOADING') return Math.max(0, processingBytes - outputBytes)
  return stage === 'UPLOADING' ? outputBytes : null
}

/**
 * The runner measures how long FFmpeg ran; the time of its start is that of the first report about it,
 * which may come after the start, so the end is not later than that of the attempt.
 */
function stepsOf(
  marks: readonly Mark[],
  { steps }: RecordedTimeline,
  attemptEnd: Date | null,
): Attempt['steps'] {
  return steps.map(({ index, ffmpeg_command_run_seconds: seconds }) => {
    const mark = marks.find(({ step }) => step === index)
    const begun = mark === undefined ? null : new Date(mark.at)
    const finished = begun === null || seconds === null ? null : later(begun, seconds, attemptEnd)
    return {
      index,
      started_at: timestampOrNull(begun),
      finished_at: timestampOrNull(finished),
      seconds,
    }
  })
}

function later(from: Date, seconds: number, atMost: Date | null): Date {
  return new Date(Math.min(from.getTime() + 1_000 * seconds, atMost?.getTime() ?? Infinity))
}
