import { megabytes, secondsBetween } from '../parts/relative-time.ts'
import type { CommandStatusRecord, CommandTimeline } from '../../common/openapi/openapi-types.ts'

export interface Bar {
  readonly name: string
  readonly tone: 'waiting' | 'starting' | 'working' | 'lost'
  /** Seconds from the submission. */
  readonly from: number
  readonly to: number
  readonly note: string
}

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
  'created_at' | 'started_at' | 'finished_at' | 'ffmpeg_command_run_seconds' | 'attempts'
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

function coarse({ ffmpeg_command_run_seconds: ffmpeg, attempts }: Times, from: number, to: number) {
  const parts = [ffmpegPart(ffmpeg), attempts > 1 ? `attempt ${attempts}` : '']
  const note = parts.filter((part) => part !== '').join(', ')
  return { name: 'Working', tone: 'working', from, to, note } as const
}

function barsOf(
  attempt: Attempt,
  record: Times,
  at: (time: string | null) => number,
  waits: CommandTimeline['waits'],
): Bar[] {
  const { stages, steps } = attempt
  const from = at(attempt.started_at)
  if (attempt.end === 'LOST') {
    const note = 'its runner was lost'
    const name = `Attempt ${attempt.attempt}`
    return [{ name, tone: 'lost', from, to: at(attempt.finished_at), note }]
  }
  const heardFFmpeg = stages.some(({ stage }) => stage === 'FFMPEG_PROCESSING')
  return stages.flatMap(({ stage, started_at, finished_at, bytes }, index): Bar[] => {
    const span = { from: at(started_at), to: at(finished_at) }
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
    if (holdsFFmpeg) return [coarse({ ...record, attempts: 1 }, span.from, span.to)]
    const note =
      stage === 'FFMPEG_PROCESSING'
        ? ffmpegPart(record.ffmpeg_command_run_seconds)
        : throughput(bytes, span.to - span.from)
    return [{ name: names[stage], tone: 'working', ...span, note }]
  })
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

/** Each from its start to that of the next one; those that were too short to be reported are left out. */
function stepBars(
  steps: Attempt['steps'],
  span: { from: number; to: number },
  at: (time: string | null) => number,
): Bar[] {
  const begun = steps.filter(({ started_at }) => started_at !== null)
  return begun.map(({ index, started_at, seconds }, place) => {
    const next = begun[place + 1]?.started_at
    const from = Math.max(span.from, at(started_at))
    const to = Math.max(from, next === undefined ? span.to : at(next))
    return { name: `Step ${index + 1}`, tone: 'working', from, to, note: ffmpegPart(seconds) }
  })
}

function ffmpegPart(seconds: number | null): string {
  return seconds === null ? '' : `FFmpeg ${seconds.toFixed(1)} s of it`
}

const mebibyte = 1_048_576

function throughput(bytes: number | null, seconds: number): string {
  if (bytes === null || bytes === 0) return ''
  const size = megabytes(bytes / mebibyte)
  return seconds < 0.1 ? size : `${size} at ${megabytes(bytes / mebibyte / seconds)}/s`
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
