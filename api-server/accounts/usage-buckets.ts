import { mbytes, timestamp } from '../http/format.ts'
import type { UsageBucket } from '../../common/openapi/openapi-types.ts'
import type { UsageHistory, UsageHour } from '../../common/store/limits.ts'

/** Whole buckets, in ms since the epoch. */
export interface Span {
  readonly from: number
  readonly to: number
  /** Length of a bucket. */
  readonly step: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

interface Query {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly bucket: 'hour' | 'day'
}

/** Rounds to buckets: hours and days of UTC. */
export function spanOf({ from, to, bucket }: Query, nowMs: number): Span {
  const step = bucket === 'hour' ? hourMs : dayMs
  const end = to === undefined ? nowMs : Date.parse(to)
  const begin = from === undefined ? end - (bucket === 'hour' ? 7 : 30) * dayMs : Date.parse(from)
  return { from: Math.floor(begin / step) * step, to: Math.ceil(end / step) * step, step }
}

/** One for each step of the span, also where nothing happened. */
export function usageBuckets(span: Span, history: UsageHistory, nowMs: number): UsageBucket[] {
  const byBucket = Map.groupBy(history.hours, ({ hour }) =>
    Math.floor((hour.getTime() - span.from) / span.step),
  )
  let stored = history.storedBytesBefore
  return Array.from({ length: Math.round((span.to - span.from) / span.step) }, (_, index) => {
    const start = span.from + index * span.step
    const hours = byBucket.get(index) ?? []
    for (const { storedBytes } of hours) stored = storedBytes ?? stored
    if (start > nowMs) stored = null
    else if (start + span.step > nowMs) stored = history.storedBytesNow
    return bucketOf(new Date(start), hours, stored)
  })
}

function bucketOf(start: Date, hours: readonly UsageHour[], stored: number | null): UsageBucket {
  const sum = (of: (hour: UsageHour) => number) =>
    hours.reduce((total, hour) => total + of(hour), 0)
  const waits = addedUp(hours.map((hour) => hour.waits))
  return {
    start: timestamp(start),
    commands: {
      succeeded: sum((hour) => hour.succeeded),
      failed: sum((hour) => hour.failed),
      cancelled: sum((hour) => hour.cancelled),
    },
    errors: addedUp(hours.map((hour) => hour.errors)),
    processed_mbytes: mbytes(sum((hour) => hour.processingBytes)),
    vcpu_seconds: sum((hour) => hour.vcpuSeconds),
    ffmpeg_seconds: sum((hour) => hour.ffmpegSeconds),
    wait_seconds: { p50: percentile(waits, 0.5), p95: percentile(waits, 0.95) },
    peak_vcpu: Math.max(0, ...hours.map((hour) => hour.peakVcpus)),
    storage_mbytes: stored === null ? null : mbytes(stored),
  }
}

function addedUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [name, count] of counts.flatMap((each) => Object.entries(each))) {
    sums[name] = (sums[name] ?? 0) + count
  }
  return sums
}

/**
 * The nearest rank among classes of waits, where class n is 2^(n/8) seconds.
 * @returns seconds with three digits; null without a wait
 */
export function percentile(
  waits: Readonly<Record<string, number>>,
  fraction: number,
): number | null {
  const classes = Object.entries(waits)
    .map(([name, count]) => [Number(name), count] as const)
    .toSorted(([a], [b]) => a - b)
  const rank = Math.ceil(fraction * classes.reduce((total, [, count]) => total + count, 0))
  let passed = 0
  for (const [name, count] of classes) {
    passed += count
    if (passed >= rank) return Number((2 ** (name / 8)).toPrecision(3))
  }
  return null
}
