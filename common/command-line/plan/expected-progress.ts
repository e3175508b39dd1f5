import { parseFilterGraph, type FilterUse } from '../grammar/filter-graph.ts'
import { filterOptions } from '../grammar/option-table.ts'
import type { ArgumentGroup, PlannedText, StepPlan } from '../model/plan.ts'
import { secondsOfTimeText } from '../grammar/time-text.ts'

/**
 * Value of 100 %: at most one of the two is known, neither if progress cannot be computed.
 */
export type ExpectedProgress = {
  /** Duration of the shortest output, in seconds of its own time. */
  seconds: number | null
  /** Number of frames, if the command limits the number of frames. */
  frames: number | null
}

/** Filters that make the output's time run unlike the input's. */
const retiming = new Set(
  `setpts asetpts atempo rubberband concat loop aloop trim atrim tpad apad xfade acrossfade select
  aselect framestep thumbnail tile zoompan shuffleframes asetrate silenceremove movie amovie`
    .trim()
    .split(/\s+/),
)
/** Options after which times are no longer those of the input. */
const reclocking = new Set(['copyts', 'itsscale'])
/** That end after a `duration`. */
const sources = new Set(
  `allrgb allyuv color colorchart colorspectrum gradients haldclutsrc mptestsrc nullsrc pal100bars
  pal75bars perlin rgbtestsrc smptebars smptehdbars testsrc testsrc2 yuvtestsrc zoneplate aevalsrc
  anoisesrc anullsrc sine`
    .trim()
    .split(/\s+/),
)
const pictures = /\.(?:jpe?g|png|webp|bmp|tiff?|avif|jxl|ppm|pgm)$/i
const unknown: ExpectedProgress = { seconds: null, frames: null }

/**
 * Reads the duration of the outputs from the plan. FFmpeg reports the time of its slowest output,
 * so the shortest one marks the end. `inputSeconds` are probed durations by alias, of inputs and of
 * outputs of earlier steps; null for stills and other files without a duration.
 */
export function expectedProgress(
  step: StepPlan,
  inputSeconds: Readonly<Record<string, number | null>>,
): ExpectedProgress {
  const outputs = step.groups.filter(({ kind }) => kind === 'output')
  const [only] = outputs
  const frames = only === undefined || outputs.length > 1 ? null : frameLimit(only)
  if (frames !== null) return { seconds: null, frames }
  if (step.groups.some(({ options }) => options.some(({ name }) => reclocking.has(name)))) {
    return unknown
  }
  const filters = filtersOf(step.groups)
  if (filters.some(({ name }) => retiming.has(name))) return unknown
  const inputs = step.groups
    .filter(({ kind }) => kind === 'input')
    .map((group) => inputDuration(group, inputSeconds))
  const durations = outputs.flatMap((output) => outputDuration(output, inputs, filters) ?? [])
  const shortest = Math.min(...durations)
  return Number.isFinite(shortest) && shortest > 0 ? { seconds: shortest, frames: null } : unknown
}

function outputDuration(
  output: ArgumentGroup,
  inputs: readonly (number | null)[],
  filters: readonly FilterUse[],
): number | null {
  if (frameLimit(output) !== null || pictures.test(textOf(output.target))) return null
  const known = mappedInputs(output, inputs).filter((seconds) => seconds !== null)
  const isShortest =
    output.options.some(({ name }) => name === 'shortest') || filters.some(endsWithShortest)
  const base = known.length === 0 ? Infinity : isShortest ? Math.min(...known) : Math.max(...known)
  return cut(output, base)
}

/** All of them, unless `-map` names which: what a filter graph has made may come from any. */
function mappedInputs(
  { options }: ArgumentGroup,
  inputs: readonly (number | null)[],
): readonly (number | null)[] {
  const maps = options
    .filter(({ name, value }) => name === 'map' && !textOf(value).startsWith('-'))
    .map(({ value }) => /^\d+/.exec(textOf(value))?.[0])
  if (maps.length === 0 || maps.includes(undefined)) return inputs
  return inputs.filter((_, index) => maps.includes(String(index)))
}

/** `overlay=shortest=1` over an endless background. */
function endsWithShortest({ arguments: settings }: FilterUse): boolean {
  return settings.some(({ key, value }) => key === 'shortest' && value === '1')
}

/** Infinity for endless sources, null for sources of unknown length. */
function inputDuration(
  input: ArgumentGroup,
  inputSeconds: Readonly<Record<string, number | null>>,
): number | null {
  if (input.format === 'lavfi') return cut(input, sourceDuration(textOf(input.target)))
  const loop = valueOf(input, 'loop')
  if (loop !== null && loop !== '0') return cut(input, Infinity)
  const probed = input.alias === null ? null : (inputSeconds[input.alias] ?? null)
  const fromEnd = secondsOf(input, 'sseof')
  if (probed === null) return null
  const times = Number(valueOf(input, 'stream_loop') ?? '0')
  const played = times < 0 ? Infinity : probed * (times + 1)
  const offset = Math.max(0, secondsOf(input, 'itsoffset') ?? 0)
  return cut(input, fromEnd === null ? played : Math.min(played, -fromEnd)) + offset
}

/** Applies `-ss`, `-t` and `-to` of a group to what it would last without. */
function cut(group: ArgumentGroup, seconds: number): number {
  const start = secondsOf(group, 'ss') ?? 0
  const end = secondsOf(group, 'to')
  const length = secondsOf(group, 't') ?? (end === null ? Infinity : end - start)
  return Math.max(0, Math.min(seconds - start, length))
}

/** Duration of the longest source; a graph that only filters what `movie` reads has none. */
function sourceDuration(graph: string): number {
  const parsed = parseFilterGraph(graph)
  const durations = (parsed.ok ? parsed.filters : [])
    .filter(({ name }) => sources.has(name))
    .map((source) => {
      const requested = source.arguments
        .filter(({ key }) => key === 'd' || key === 'duration')
        .flatMap(({ value }) => secondsOfTimeText(value) ?? [])
      return requested.at(-1) ?? Infinity
    })
  return durations.length === 0 ? Infinity : Math.max(...durations)
}

function filtersOf(groups: readonly ArgumentGroup[]): FilterUse[] {
  const graphs = groups.flatMap(({ options, format, target }) => [
    ...options.filter(({ name }) => filterOptions.has(name)).map(({ value }) => textOf(value)),
    ...(format === 'lavfi' ? [textOf(target)] : []),
  ])
  return graphs.flatMap((graph) => {
    const parsed = parseFilterGraph(graph)
    return parsed.ok ? parsed.filters : []
  })
}

function frameLimit(output: ArgumentGroup): number | null {
  const requested = output.options.findLast(
    ({ name, flag }) => name === 'vframes' || flag === '-frames:v' || flag === '-frames',
  )
  const frames = Number(textOf(requested?.value ?? null))
  return requested !== undefined && Number.isInteger(frames) && frames > 0 ? frames : null
}

function secondsOf(group: ArgumentGroup, name: string): number | null {
  return secondsOfTimeText(valueOf(group, name) ?? '')
}

function valueOf(group: ArgumentGroup, name: string): string | null {
  const option = group.options.findLast((candidate) => candidate.name === name)
  return option === undefined ? null : textOf(option.value)
}

/** Text with `x` for every path; nothing that is read here depends on paths. */
function textOf(text: PlannedText | null): string {
  return (text ?? []).map((part) => (typeof part === 'string' ? part : 'x')).join('')
}
