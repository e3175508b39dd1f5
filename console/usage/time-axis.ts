import { preferences } from '../parts/preferences.ts'
import { day, hourOfDay } from '../parts/clock-time.ts'
import type { UsageBucket, UsageHistory } from '../../common/openapi/openapi-types.ts'

type Zone = 'local' | 'utc'
type Size = UsageHistory['bucket']

interface Tick {
  readonly index: number
  readonly words: string
}

const mostTicks = 7

/** A name under some of the buckets: days, and hours where there are few. */
export function ticksOf(
  buckets: readonly Pick<UsageBucket, 'start'>[],
  size: Size,
  zone: Zone = preferences.value.zone,
): Tick[] {
  const times = buckets.map(({ start }) => new Date(start))
  if (size === 'hour' && buckets.length <= 36) {
    return everyNth(times, Math.ceil(buckets.length / 6)).map((index) => ({
      index,
      words: hourOfDay(times[index] ?? new Date(0), zone),
    }))
  }
  const shown = size === 'day' ? 'utc' : zone
  const names = times.map((time) => day(time, shown))
  const begins = names.flatMap((name, index) =>
    index > 0 && name !== names[index - 1] ? [index] : [],
  )
  // The first day is whole where buckets are days.
  const days = size === 'day' ? [0, ...begins] : begins
  const step = Math.max(1, Math.ceil(days.length / mostTicks))
  return (
    days
      .filter((_, index) => index % step === 0)
      // Words at the end of the axis would be cut off.
      .filter((index) => index < buckets.length * 0.9)
      .map((index) => ({ index, words: names[index] ?? '' }))
  )
}

/** "19 May, 18:00 to 19:00" or "19 May". */
export function bucketName(start: string, size: Size, zone: Zone = preferences.value.zone): string {
  const time = new Date(start)
  if (size === 'day') return day(time, 'utc')
  const end = new Date(time.getTime() + 3_600_000)
  return `${day(time, zone)}, ${hourOfDay(time, zone)} to ${hourOfDay(end, zone)}`
}

function everyNth(list: readonly unknown[], step: number): number[] {
  return list.flatMap((_, index) => (index % step === 0 ? [index] : []))
}

/** Index of the bucket under a pointer. @param share of the width, which is out of [0, 1) at the edges */
export function bucketAt(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(share * count)))
}
