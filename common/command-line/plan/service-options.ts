import { highestParallelism, withClampedThreads } from '../grammar/encoder-threads.ts'
import { codecOptions, encoderStringOptions } from '../grammar/option-table.ts'
import type { ArgumentGroup, PlannedOption } from '../model/plan.ts'

type Limits = { vcpuCount: number; maxPixels: number }

const videoCodec = /^-(?:vcodec|c(?:odec)?(?::v.*|:\d+)?)$/
const jpegName = /\.(?:jpe?g|mjpe?g)$/i
const rawHevc = /\.(?:hevc|h265|265)$/i

/** Encoders that ignore `-threads`, `-cpucount` and CPU affinity, and start a pool for the whole machine. */
const poolEncoders: readonly {
  encoders: readonly string[]
  option: 'x265-params' | 'svtav1-params'
  keys: readonly string[]
}[] = [
  { encoders: ['libx265', 'hevc'], option: 'x265-params', keys: ['pools', 'numa-pools'] },
  { encoders: ['libsvtav1'], option: 'svtav1-params', keys: ['lp'] },
]

/**
 * Options that the service puts in front of a group's own: the largest picture for inputs; the
 * number of threads for outputs, since FFmpeg sees the CPUs of the node and not the pod's share.
 */
export function serviceOptions(group: ArgumentGroup, limits: Limits): PlannedOption[] {
  const { options, kind } = group
  if (kind === 'trailing') return []
  if (kind === 'input') return unlessGiven(options, 'max_pixels', String(limits.maxPixels))
  const pools = poolEncoders
    .filter(({ encoders }) => encodersOf(group).some((encoder) => encoders.includes(encoder)))
    .flatMap(({ option }) => unlessGiven(options, option, poolParameter(option, limits)))
  const threads = isJpegAlone(group)
    ? []
    : unlessGiven(options, 'threads', String(limits.vcpuCount))
  return [...threads, ...pools]
}

/**
 * FFmpeg's JPEG encoder uses one thread unless a number is set; with more, each thread keeps the
 * bit rate by itself, and the pictures differ from those of plain FFmpeg.
 */
function isJpegAlone(group: ArgumentGroup): boolean {
  const encoders = group.options.flatMap(({ flag, value }) =>
    videoCodec.test(flag) ? [literal(value)] : [],
  )
  if (encoders.length > 0) return encoders.every((encoder) => encoder === 'mjpeg')
  const target = group.target?.at(-1)
  return group.format === 'mjpeg' || (typeof target === 'string' && jpegName.test(target))
}

function literal(value: PlannedOption['value']): string | null {
  const [text] = value ?? []
  return value?.length === 1 && typeof text === 'string' ? text : null
}

/**
 * Holds the numbers of threads in the customer's own parameters to the limit, and adds the size of the
 * pool unless they say it.
 */
export function withThreadParameters(
  options: readonly PlannedOption[],
  limits: Limits,
): PlannedOption[] {
  return options.map((given) => {
    const option = withinLimits(given, limits)
    const pool = poolEncoders.find((known) => known.option === option.name)
    if (pool === undefined || option.value === null) return option
    const text = option.value.map((part) => (typeof part === 'string' ? part : '')).join('')
    if (text.split(':').some((part) => pool.keys.some((key) => keyOf(part) === key))) return option
    const parameter = poolParameter(pool.option, limits)
    return { ...option, value: [...option.value, /^$|:$/.test(text) ? parameter : `:${parameter}`] }
  })
}

function withinLimits(option: PlannedOption, { vcpuCount }: Limits): PlannedOption {
  if (option.value === null || !encoderStringOptions.has(option.name)) return option
  const value = option.value.map((part) =>
    typeof part === 'string' ? withClampedThreads(part, vcpuCount) : part,
  )
  return { ...option, value }
}

/**
 * Adds no option that the customer has set. A customer's option for a single stream (`-threads:v`)
 * does not cover the others, so ours comes first and theirs wins.
 */
function unlessGiven(
  options: readonly PlannedOption[],
  name: string,
  value: string,
): PlannedOption[] {
  const flag = `-${name}`
  return options.some((option) => option.flag === flag) ? [] : [{ flag, name, value: [value] }]
}

/** Encoders that the group names, or the one that FFmpeg takes for a raw HEVC file. */
function encodersOf(group: ArgumentGroup): string[] {
  const named = group.options.flatMap(({ name, value }) =>
    codecOptions.has(name) ? (literal(value) ?? []) : [],
  )
  const target = group.target?.at(-1)
  const isRawHevc =
    group.format === 'hevc' ||
    (group.format === null && typeof target === 'string' && rawHevc.test(target))
  return named.length === 0 && isRawHevc ? ['hevc'] : named
}

function poolParameter(option: 'x265-params' | 'svtav1-params', limits: Limits): string {
  return option === 'x265-params'
    ? `pools=${limits.vcpuCount}`
    : `lp=${Math.min(limits.vcpuCount, highestParallelism)}`
}

function keyOf(part: string): string {
  return part.split('=')[0]?.trim() ?? ''
}
