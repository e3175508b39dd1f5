import { duration, megabytes, secondsBetween } from '../parts/relative-time.ts'
import { ffmpegPart, stepBars } from './ffmpeg-bars.ts'
import type { CommandStatusRecord, CommandTimeline } from '../../common/openapi/openapi-types.ts'
import type { Bar, Span } from './bar.ts'

export interface Timeline {
  readonly bars: readonly Bar[]
  /** Seconds that the axis covers. */
  readonly total: number
  readonly ticks: readonly number[]
  /** Seconds before a runner was to start. */
  readonly waited: number
}

type Times = Pick<
  CommandStatusRecord,
  | 'created_at'
  | 'started_at'
  | 'finished_at'
  | 'ffmpeg_command_run_seconds'
  | 'attempts'
  | 'original_request'
>
type Attempt = CommandTimeline['attempts'][number]

/**
 * Time in the queue apart from time at work.
 * @param known null until it was read
 * @param now ms, the end of what has not ended
 */
export function timelineOf(record: Times, known: CommandTimeline | null, now: number): Timeline {
  const { created_at: created, started_at: started, finished_at: finished } = record
  const end = secondsBetween(created, finished ?? now)
  /** Seconds from the submission; the clock of this computer may be late. */
  const at = (time: string | null) =>
    time === null ? end : Math.min(end, secondsBetween(created, time))
  const [first] = known?.attempts ?? []
  const begin = at(first?.started_at ?? started)
  const waiting: Bar = { name: 'Waiting', tone: 'waiting', from: 0, to: begin, note: '' }
  const work =
    known === null || first === undefined
      ? started === null
        ? []
        : [coarse(record, begin, end)]
      : known.attempts.flatMap((attempt) => barsOf(attempt, record, at, known.waits))
  return { bars: [waiting, ...work], total: end, ticks: ticksFor(end), waited: begin }
}

/** Sentence above the bars. "Took" counts from the start, in the list too. */
export function summary({ created_at, started_at, finished_at }: Times, now: number): string {
  const end = finished_at ?? now
  const wait = duration(secondsBetween(created_at, started_at ?? end))
  if (started_at === null) return finished_at === null ? `Waits for ${wait} now` : `Waited ${wait}`
  const verb = finished_at === null ? 'Runs for' : 'Took'
  const time = duration(secondsBetween(started_at, end))
  return `${verb} ${time}${finished_at === null ? ' now' : ''}, after a wait of ${wait}`
}

function coarse({ ffmpeg_command_run_seconds: ffmpeg, attempts }: Times, from: number, to: number) {
  const parts = [ffmpegPart(ffmpeg, to - from), attempts > 1 ? `attempt ${attempts}` : '']
  const note = parts.filter((part) => part !== '').join(', ')
  return { name: 'Working', tone: 'working', from, to, note } as const
}

function barsOf(
  attempt: Attempt,
  record: Times,
  at: (time: string | null) => number,
  waits: CommandTimeline['waits'],
): Bar[] {
  const { steps } = attempt
  const from = at(attempt.started_at)
  if (attempt.end === 'LOST') {
    const note = 'its runner was lost'
    const name = `Attempt ${attempt.attempt}`
    return [{ name, tone: 'lost', from, to: at(attempt.finished_at), note }]
  }
  const heardFFmpeg = attempt.stages.some(({ stage }) => stage === 'FFMPEG_PROCESSING')
  const stages = withoutEmptyDownload(spansOf(attempt, record, at), record, attempt, heardFFmpeg)
  return stages.flatMap(({ stage, span, bytes }, index): Bar[] => {
    if (stage === 'STARTING') {
      const note = attempt.attempt > 1 ? `attempt ${attempt.attempt}` : ''
      const held = podWaits(waits, span, at)
      const from = held.at(-1)?.to ?? span.from
      if (held.length > 0 && from >= span.to) return held
      return [...held, { name: names.STARTING, tone: 'starting', from, to: span.to, note }]
    }
    if (stage === 'FFMPEG_PROCESSING' && steps.length > 1) return stepBars(steps, span, at)
    // Runners report once a second: a shorter stage is part of the one before.
    const next = stages[index + 1]?.stage
    const holdsFFmpeg =
      !heardFFmpeg &&
      attempt.end !== null &&
      next !== 'PREPARING_INPUT_FILES' &&
      stage !== 'UPLOADING'
    if (holdsFFmpeg) return unheard(record, steps, span, at)
    const note =
      stage === 'FFMPEG_PROCESSING'
        ? ffmpegPart(record.ffmpeg_command_run_seconds, span.to - span.from)
        : throughput(bytes, span.to - span.from)
    return [{ name: names[stage], tone: 'working', ...span, note }]
  })
}

interface StageSpan {
  readonly stage: Attempt['stages'][number]['stage']
  readonly span: Span
  readonly bytes: number | null
}

/** The start of FFmpeg is reported late: where FFmpeg ran longer than its stage, it began in the stage before. */
function spansOf(
  { stages }: Attempt,
  { ffmpeg_command_run_seconds: seconds }: Times,
  at: (time: string | null) => number,
): StageSpan[] {
  const startOf = (index: number) => {
    const stage = stages[index]
    if (stage === undefined) return null
    const from = at(stage.started_at)
    const before = stages[index - 1]
    if (stage.stage !== 'FFMPEG_PROCESSING' || before === undefined) return from
    if (before.stage === 'STARTING') return from
    return Math.min(from, Math.max(at(before.started_at), at(stage.finished_at) - (seconds ?? 0)))
  }
  return stages.map(({ stage, bytes, started_at, finished_at }, index) => ({
    stage,
    bytes,
    span: { from: startOf(index) ?? at(started_at), to: startOf(index + 1) ?? at(finished_at) },
  }))
}

/** A command without inputs downloads nothing: that stage is the rest of its start. */
function withoutEmptyDownload(
  spans: StageSpan[],
  { original_request: request }: Times,
  { end }: Attempt,
  heardFFmpeg: boolean,
): StageSpan[] {
  const [start, download, ...rest] = spans
  const hasInputs =
    request === null ||
    Object.keys(request.input_files ?? {}).length > 0 ||
    ('input_compressed_folder' in request && request.input_compressed_folder !== null)
  if (hasInputs || start?.stage !== 'STARTING' || download?.stage !== 'DOWNLOADING') return spans
  if (!heardFFmpeg && end !== null && rest[0]?.stage !== 'PREPARING_INPUT_FILES') return spans
  return [{ ...start, span: { from: start.span.from, to: download.span.to } }, ...rest]
}

/** Work whose FFmpeg was too short to be reported; the steps of a chain are at its end. */
function unheard(
  record: Times,
  steps: Attempt['steps'],
  span: Span,
  at: (time: string | null) => number,
): Bar[] {
  const seconds = steps.reduce((sum, step) => sum + (step.seconds ?? 0), 0)
  if (steps.length < 2 || seconds === 0) {
    return [coarse({ ...record, attempts: 1 }, span.from, span.to)]
  }
  const from = Math.max(span.from, span.to - seconds)
  const bars = stepBars(steps, { from, to: span.to }, at)
  if (from - span.from < 0.05) return bars
  return [{ name: 'Working', tone: 'working', from: span.from, to: from, note: '' }, ...bars]
}

/** Waits of the pod of the attempt that started in this span. */
function podWaits(
  waits: CommandTimeline['waits'],
  span: { from: number; to: number },
  at: (time: string | null) => number,
): Bar[] {
  return waits.flatMap(({ reason, from, to }) => {
    const name = reason === 'NODE' || reason === 'IMAGE' ? podNames[reason] : null
    const bar = { from: at(from), to: at(to), tone: 'waiting', note: '' } as const
    return name === null || bar.from < span.from || bar.to > span.to ? [] : [{ ...bar, name }]
  })
}

const podNames = { NODE: 'No node yet', IMAGE: 'Image' } as const

const names = {
  STARTING: 'Starting',
  DOWNLOADING: 'Download',
  PREPARING_INPUT_FILES: 'Prepare',
  FFMPEG_PROCESSING: 'FFmpeg',
  UPLOADING: 'Upload',
} as const

const mebibyte = 1_048_576

/** Stages are reported once a second: a speed of fewer seconds than this would be wrong by more than a tenth. */
const exactSeconds = 10

function throughput(bytes: number | null, seconds: number): string {
  if (bytes === null || bytes === 0) return ''
  const size = megabytes(bytes / mebibyte)
  return seconds < exactSeconds ? size : `${size} at ${megabytes(bytes / mebibyte / seconds)}/s`
}

/** At most six marks at round figures. */
export function ticksFor(total: number): number[] {
  const steps = [1, 2, 5].flatMap((one) => [0.1, 1, 10, 100, 1_000, 10_000].map((ten) => one * ten))
  const step = steps.toSorted((a, b) => a - b).find((one) => total / one <= 6) ?? total
  if (step <= 0) return [0]
  return Array.from({ length: Math.floor(total / step) + 1 }, (_, index) =>
    Number((index * step).toFixed(1)),
  )
}
