import { parseFilterGraph, type FilterUse } from './filter-graph.ts'
import { filterOptions } from './option-table.ts'
import type { ArgumentGroup, PlannedText, StepPlan } from './plan.ts'
import { secondsIn } from './time-text.ts'

/** What counts as 100 %: at most one of the two is known, neither if progress cannot be told. */
export type ExpectedProgress = {
  /** Duration of the shortest output, in seconds of its own time. */
  seconds: number | null
  /** Number of frames, where the command asks for a number of frames. */
  frames: number | null
}

/** Filters that make the output's time run unlike the input's. */
const retiming = new Set(
  `setpts asetpts atempo rubberband concat loop aloop trim atrim tpad apad xfade acrossfade select
  aselect framestep thumbnail tile zoompan shuffleframes`
    .trim()
    .split(/\s+/),
)
const pictures = /\.(?:jpe?g|png|webp|bmp|tiff?|avif|jxl|ppm|pgm)$/i
const unknown: ExpectedProgress = { seconds: null, frames: null }

/**
 * Reads from the plan how long the outputs will be. FFmpeg reports the time of its slowest output,
 * so the shortest one tells when all is done. `inputSeconds` are probed durations by alias, of
 * inputs and of outputs of earlier steps, null for stills and whatever has none.
 */
export function expectedProgress(
  step: StepPlan,
  inputSeconds: Readonly<Record<string, number | null>>,
): ExpectedProgress {
  const outputs = step.groups.filter(({ kind }) => kind === 'output')
  const [only] = outputs
  const frames = only === undefined || outputs.length > 1 ? null : frameLimit(only)
  if (frames !== null) return { seconds: null, frames }
  if (step.groups.some(({ options }) => options.some(({ name }) => name === 'copyts'))) {
    return unknown
  }
  if (filtersOf(step.groups).some(({ name }) => retiming.has(name))) return unknown
  const inputs = step.groups
    .filter(({ kind }) => kind === 'input')
    .map((group) => inputDuration(group, inputSeconds))
  const durations = outputs.flatMap((output) => outputDuration(output, inputs) ?? [])
  const shortest = Math.min(...durations)
  return Number.isFinite(shortest) && shortest > 0 ? { seconds: shortest, frames: null } : unknown
}

function outputDuration(output: ArgumentGroup, inputs: readonly (number | null)[]): number | null {
  if (frameLimit(output) !== null || pictures.test(textOf(output.target))) return null
  const known = inputs.filter((seconds) => seconds !== null)
  const isShortest = output.options.some(({ name }) => name === 'shortest')
  const base = known.length === 0 ? Infinity : isShortest ? Math.min(...known) : Math.max(...known)
  return cut(output, base)
}

/** Infinity for endless sources, null for those whose length nobody knows. */
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
  return cut(input, fromEnd === null ? played : Math.min(played, -fromEnd))
}

/** Applies `-ss`, `-t` and `-to` of a group to what it would last without. */
function cut(group: ArgumentGroup, seconds: number): number {
  const start = secondsOf(group, 'ss') ?? 0
  const end = secondsOf(group, 'to')
  const length = secondsOf(group, 't') ?? (end === null ? Infinity : end - start)
  return Math.max(0, Math.min(seconds - start, length))
}

function sourceDuration(graph: string): number {
  const parsed = parseFilterGraph(graph)
  const durations = (parsed.ok ? parsed.filters : []).flatMap((filter) =>
    filter.arguments
      .filter(({ key }) => key === 'd' || key === 'duration')
      .flatMap(({ value }) => secondsIn(value) ?? []),
  )
  return Math.min(Infinity, ...durations)
}

function filtersOf(groups: readonly ArgumentGroup[]): FilterUse[] {
  return groups.flatMap(({ options }) =>
    options
      .filter(({ name }) => filterOptions.has(name))
      .flatMap(({ value }) => {
        const graph = parseFilterGraph(textOf(value))
        return graph.ok ? graph.filters : []
      }),
  )
}

function frameLimit(output: ArgumentGroup): number | null {
  const asked = output.options.findLast(
    ({ name, flag }) => name === 'vframes' || flag === '-frames:v' || flag === '-frames',
  )
  const frames = Number(textOf(asked?.value ?? null))
  return asked !== undefined && Number.isInteger(frames) && frames > 0 ? frames : null
}

function secondsOf(group: ArgumentGroup, name: string): number | null {
  return secondsIn(valueOf(group, name) ?? '')
}

function valueOf(group: ArgumentGroup, name: string): string | null {
  const option = group.options.findLast((candidate) => candidate.name === name)
  return option === undefined ? null : textOf(option.value)
}

/** Text with `x` for every path; nothing that is read here depends on them. */
function textOf(text: PlannedText | null): string {
  return (text ?? []).map((part) => (typeof part === 'string' ? part : 'x')).join('')
}
