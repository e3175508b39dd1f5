import { secondsBetween } from '../parts/relative-time.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

export interface Bar {
  readonly name: string
  readonly tone: 'waiting' | 'working'
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
}

type Times = Pick<
  CommandStatusRecord,
  'created_at' | 'started_at' | 'finished_at' | 'ffmpeg_command_run_seconds' | 'attempts'
>

/** Time in the queue apart from time at work. @param now ms, the end of what has not ended */
export function timelineOf(record: Times, now: number): Timeline {
  const { created_at: created, started_at: started, finished_at: finished } = record
  const end = secondsBetween(created, finished ?? now)
  const begin = started === null ? end : Math.min(end, secondsBetween(created, started))
  const waiting: Bar = { name: 'Waiting', tone: 'waiting', from: 0, to: begin, note: '' }
  const bars = started === null ? [waiting] : [waiting, workBar(record, begin, end)]
  return { bars, total: end, ticks: ticksFor(end) }
}

function workBar(record: Times, from: number, to: number): Bar {
  const { ffmpeg_command_run_seconds: ffmpeg, attempts } = record
  const parts = [
    ...(ffmpeg === null ? [] : [`FFmpeg ${ffmpeg.toFixed(1)} s of it`]),
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
  ]
  return { name: 'Working', tone: 'working', from, to, note: parts.join(', ') }
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
