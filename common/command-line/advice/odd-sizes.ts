import { evenSize, hasOddSide, type WrittenSize } from '../grammar/even-size.ts'
import { parseFilterGraph, type FilterUse } from '../grammar/filter-graph.ts'
import type { ArgumentGroup, PlannedOption, StepPlan } from '../model/plan.ts'

/** Size that a command writes, and the even one that it may have meant. */
export type OddSize = { written: string; even: string; encoder: string }

/**
 * Odd sizes that libx264 and libx265 usually refuse: they encode 4:2:0 unless a command sets
 * another format or its pictures have another one. Without a picture the filter does not run, so
 * this is not certain to be an error.
 */
export function oddSizes({ groups }: StepPlan): OddSize[] {
  return groups.flatMap((group) => {
    const encoder = group.kind === 'output' ? encoderOf(group) : null
    if (encoder === null || group.options.some(asksForOtherFormat)) return []
    const size = lastSize(group.options)
    if (size === null || !hasOddSide(size)) return []
    const even = evenSize(size)
    return [{ written: size.text, even: size.spelled(even), encoder }]
  })
}

function encoderOf({ options, format, target }: ArgumentGroup): string | null {
  const named = options.findLast(({ flag }) => videoCodec.test(flag))
  const name = named === undefined ? null : textOf(named)
  if (name !== null) return encoders.has(name) ? name : null
  const file = target?.at(-1)
  const isH264 = format === null && typeof file === 'string' && h264Names.test(file)
  return isH264 ? 'libx264' : null
}

const videoCodec = /^-(?:vcodec|c(?:odec)?(?::v(?::0)?)?)$/
const encoders: ReadonlySet<string> = new Set(['libx264', 'libx265'])
const h264Names = /\.(?:mp4|m4v|mov|mkv)$/i

function asksForOtherFormat(option: PlannedOption): boolean {
  const text = textOf(option)
  if (option.name === 'pix_fmt') return !/^(?:yuvj?420p|nv12$)/.test(text)
  return filterFlag.test(option.flag) && /\bformat=/.test(text)
}

type Size = WrittenSize & { text: string; spelled(size: WrittenSize): string }

/** FFmpeg puts `-s` behind all filters. */
function lastSize(options: readonly PlannedOption[]): Size | null {
  const option = options.findLast(({ flag }) => flag === '-s' || flag === '-s:v')
  const [, width, height] = /^(\d+)x(\d+)$/.exec(option === undefined ? '' : textOf(option)) ?? []
  if (option !== undefined) {
    return sizeFrom(width, height, (size) => `${option.flag} ${size.width}x${size.height}`)
  }
  const filters = options.findLast(({ flag }) => filterFlag.test(flag))
  const graph = filters === undefined ? null : parseFilterGraph(textOf(filters))
  const last =
    graph?.ok === true ? graph.filters.findLast(({ name }) => sizing.has(name)) : undefined
  return last === undefined ? null : filterSize(last)
}

const filterFlag = /^-(?:vf|filter(?::v(?::0)?)?)$/
const sizing: ReadonlySet<string> = new Set(
  'scale crop pad transpose rotate zscale tile hstack vstack xstack scale2ref'.split(' '),
)

function filterSize({ name, arguments: given }: FilterUse): Size | null {
  if (name !== 'scale' && name !== 'crop') return null
  const [width, height] = [valueOf(given, 0, ['w', 'width']), valueOf(given, 1, ['h', 'height'])]
  return sizeFrom(width, height, (size) => `${name}=${size.width}:${size.height}`)
}

function valueOf(
  given: FilterUse['arguments'],
  position: number,
  names: readonly string[],
): string | undefined {
  const named = given.findLast(({ key }) => key !== null && names.includes(key))
  return (named ?? given.slice(0, position + 1).filter(({ key }) => key === null)[position])?.value
}

function sizeFrom(
  width: string | undefined,
  height: string | undefined,
  spelled: (size: WrittenSize) => string,
): Size | null {
  if (!/^-?\d+$/.test(width ?? '') || !/^-?\d+$/.test(height ?? '')) return null
  const size = { width: Number(width), height: Number(height) }
  return { ...size, text: spelled(size), spelled }
}

function textOf({ value }: PlannedOption): string {
  return (value ?? []).map((part) => (typeof part === 'string' ? part : part.input)).join('')
}
