import { durationWords, gigabytes } from './amounts.ts'
import type { UsageBucket } from '../../common/openapi/openapi-types.ts'

/** One chart: parts that stand on each other, or `beside` the part of which they are a portion. */
export interface Chart {
  readonly id: string
  readonly title: string
  readonly parts: readonly Part[]
  /** `stacked`: heights add up; `nested`: each is drawn in front of the part before it. */
  readonly form: 'stacked' | 'nested'
  readonly words: (value: number) => string
  /** A figure of all buckets: their sum or the largest. */
  readonly total: 'sum' | 'most' | 'last'
  /** Unit of the count: the axis ends at a round figure of it. */
  readonly axis: 'count' | 'time' | 'size'
}

export interface Part {
  readonly name: string
  readonly tone: 'good' | 'bad' | 'grey' | 'accent' | 'pale'
  readonly of: (bucket: UsageBucket) => number | null
}

const count = (value: number) => value.toLocaleString('en-GB')

export const charts: readonly Chart[] = [
  {
    id: 'commands',
    title: 'Commands',
    form: 'stacked',
    total: 'sum',
    axis: 'count',
    words: count,
    parts: [
      { name: 'done', tone: 'good', of: ({ commands }) => commands.succeeded },
      { name: 'failed', tone: 'bad', of: ({ commands }) => commands.failed },
      { name: 'cancelled', tone: 'grey', of: ({ commands }) => commands.cancelled },
    ],
  },
  {
    id: 'wait',
    title: 'Wait until the start',
    form: 'nested',
    total: 'most',
    axis: 'time',
    words: durationWords,
    parts: [
      { name: '95 % began within', tone: 'pale', of: ({ wait_seconds: wait }) => wait.p95 },
      { name: 'half began within', tone: 'accent', of: ({ wait_seconds: wait }) => wait.p50 },
    ],
  },
  {
    id: 'processed',
    title: 'Processed',
    form: 'stacked',
    total: 'sum',
    axis: 'size',
    words: gigabytes,
    parts: [{ name: 'inputs and outputs', tone: 'accent', of: (one) => one.processed_mbytes }],
  },
  {
    id: 'vcpu',
    title: 'vCPU time',
    form: 'stacked',
    total: 'sum',
    axis: 'time',
    words: durationWords,
    parts: [{ name: 'of commands that ended', tone: 'accent', of: (one) => one.vcpu_seconds }],
  },
  {
    id: 'peak',
    title: 'Most vCPUs at a time',
    form: 'stacked',
    total: 'most',
    axis: 'count',
    words: count,
    parts: [{ name: 'in use', tone: 'accent', of: (one) => one.peak_vcpu }],
  },
  {
    id: 'storage',
    title: 'Stored',
    form: 'stacked',
    total: 'last',
    axis: 'size',
    words: gigabytes,
    parts: [{ name: 'at the end', tone: 'accent', of: (one) => one.storage_mbytes }],
  },
]

/** All bars of one part as the path of an SVG: a bucket is 1 wide, and the axis 1 high. */
export function pathOf(
  chart: Chart,
  part: Part,
  { buckets, end }: { readonly buckets: readonly UsageBucket[]; readonly end: number },
): string {
  const width = buckets.length > 120 ? 0.9 : 0.8
  return buckets
    .map((bucket, index) => {
      const value = part.of(bucket) ?? 0
      if (value <= 0) return ''
      // A value above zero is seen.
      const height = Math.max(value / end, leastHeight)
      const below = chart.form === 'stacked' ? belowOf(chart, part, bucket) / end : 0
      return `M${index} ${rounded(1 - below)}v${rounded(-height)}h${width}v${rounded(height)}z`
    })
    .join('')
}

const leastHeight = 0.01

function belowOf({ parts }: Chart, part: Part, bucket: UsageBucket): number {
  return parts.slice(0, parts.indexOf(part)).reduce((sum, { of }) => sum + (of(bucket) ?? 0), 0)
}

function rounded(length: number): number {
  return Math.round(length * 1e4) / 1e4
}

/** Height of a bucket in units. */
export function heightOf(chart: Chart, bucket: UsageBucket): number {
  const values = chart.parts.map(({ of }) => of(bucket) ?? 0)
  return chart.form === 'stacked' ? values.reduce((sum, value) => sum + value, 0) : largest(values)
}

/** The figure beside the title. */
export function totalOf(chart: Chart, buckets: readonly UsageBucket[]): string {
  const heights = buckets.map((bucket) => heightOf(chart, bucket))
  if (chart.total === 'sum') return chart.words(heights.reduce((sum, one) => sum + one, 0))
  if (chart.total === 'most') return `at most ${chart.words(largest(heights))}`
  return chart.words(heights.at(-1) ?? 0)
}

/** Values of a bucket, in words: "41 done, 2 failed". */
export function bucketWords(chart: Chart, bucket: UsageBucket): string {
  const values = chart.parts.flatMap(({ name, of }) => {
    const value = of(bucket)
    if (value === null || (value === 0 && chart.parts.length > 1)) return []
    const words = chart.words(value)
    return [chart.form === 'nested' ? `${name} ${words}` : `${words} ${name}`]
  })
  return values.length === 0 ? 'nothing' : values.join(', ')
}

/** Errors of all buckets, the most frequent first. */
export function errorsOf(buckets: readonly UsageBucket[]): (readonly [string, number])[] {
  const sums = new Map<string, number>()
  for (const [code, number] of buckets.flatMap(({ errors }) => Object.entries(errors))) {
    sums.set(code, (sums.get(code) ?? 0) + number)
  }
  return [...sums].toSorted(([a, most], [b, more]) => more - most || a.localeCompare(b))
}

export function hasFigures(bucket: UsageBucket): boolean {
  const { succeeded, failed, cancelled } = bucket.commands
  return succeeded + failed + cancelled > 0 || bucket.peak_vcpu > 0
}

const minute = 60
const hour = 3_600
const ends = {
  digits: [1, 2, 3, 4, 5, 6, 8, 10],
  time: [
    1,
    2,
    5,
    10,
    20,
    30,
    minute,
    2 * minute,
    5 * minute,
    10 * minute,
    20 * minute,
    30 * minute,
    40 * minute,
    hour,
    2 * hour,
    5 * hour,
    10 * hour,
    24 * hour,
  ],
} as const

/** The end of the axis: a round figure of the unit that is not below the largest value. */
export function axisEnd(most: number, axis: Chart['axis']): number {
  if (most <= 0) return 1
  if (axis === 'size') return most < 1_024 ? decimalEnd(most) : 1_024 * decimalEnd(most / 1_024)
  if (axis === 'time' && most >= 1) {
    const day = 24 * hour
    return ends.time.find((end) => end >= most) ?? day * decimalEnd(most / day)
  }
  return axis === 'count' ? Math.max(1, decimalEnd(most)) : decimalEnd(most)
}

/** A digit times a power of ten. */
function decimalEnd(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most))
  const digit = ends.digits.find((one) => one * power >= most) ?? 10
  return Number((digit * power).toPrecision(3))
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0)
}
