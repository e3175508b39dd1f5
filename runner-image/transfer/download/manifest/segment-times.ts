import { invalidManifest, mostSegments, tooManySegments, wholeNumber } from './manifest-failure.ts'
import { childOf, childrenOf } from './read-xml.ts'
import type { XmlElement } from './read-xml.ts'

/** Media times at which segments of a template begin, in the units of its `timescale`. */
export interface SegmentTimes {
  readonly starts: readonly bigint[]
  /** The count follows from a duration that may be longer than this stream. */
  readonly isCounted: boolean
}

/**
 * @param seconds of the period; null: the manifest does not say
 * @throws Failure
 */
export function segmentTimes(template: XmlElement, seconds: number | null): SegmentTimes {
  const timeline = childOf(template, 'SegmentTimeline')
  if (timeline !== undefined) {
    return { starts: timelineStarts(timeline, periodEnd(template, seconds)), isCounted: false }
  }
  const { duration, endNumber } = template.attributes
  const count = segmentCount(template, seconds)
  if (count > mostSegments) throw tooManySegments()
  const length = duration === undefined ? 0n : wholeNumber(duration, 'duration')
  return {
    starts: Array.from({ length: count }, (_, index) => BigInt(index) * length),
    isCounted: endNumber === undefined && count > 1,
  }
}

/** One element stands for a run of segments; media times may be larger than a number holds. */
function timelineStarts(timeline: XmlElement, periodEnd: bigint | null): bigint[] {
  const runs = childrenOf(timeline, 'S')
  const starts: bigint[] = []
  let time = 0n
  for (const [index, { attributes }] of runs.entries()) {
    const { t, d, r = '0' } = attributes
    const length = wholeNumber(d, 'd')
    if (length === 0n) throw invalidManifest('has segments without a duration')
    if (t !== undefined) time = wholeNumber(t, 't')
    const next = runs[index + 1]?.attributes['t']
    const end = r.startsWith('-')
      ? next === undefined
        ? periodEnd
        : wholeNumber(next, 't')
      : time + length * (wholeNumber(r, 'r') + 1n)
    if (end === null) throw invalidManifest(withoutLength)
    for (; time < end; time += length) {
      if (starts.length >= mostSegments) throw tooManySegments()
      starts.push(time)
    }
  }
  return starts
}

const withoutLength = 'does not say how long it is'

/** Media time at the end of the period. */
function periodEnd({ attributes }: XmlElement, seconds: number | null): bigint | null {
  if (seconds === null) return null
  const offset = wholeNumber(attributes['presentationTimeOffset'] ?? '0', 'presentationTimeOffset')
  return offset + BigInt(Math.round(seconds * timescaleOf(attributes)))
}

function segmentCount({ attributes }: XmlElement, seconds: number | null): number {
  const { duration, startNumber = '1', endNumber } = attributes
  if (endNumber !== undefined) {
    const last = wholeNumber(endNumber, 'endNumber')
    return Math.max(0, Number(last - wholeNumber(startNumber, 'startNumber') + 1n))
  }
  if (duration === undefined) return 1
  if (seconds === null) throw invalidManifest(withoutLength)
  const length = Number(wholeNumber(duration, 'duration')) / timescaleOf(attributes)
  if (length === 0) throw invalidManifest('has segments without a duration')
  // Durations are rounded: a rest of a millisecond is not a segment.
  return Math.max(1, Math.ceil((seconds - 0.001) / length))
}

function timescaleOf({ timescale = '1' }: XmlElement['attributes']): number {
  return Number(wholeNumber(timescale, 'timescale')) || 1
}
