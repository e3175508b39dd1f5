import type { Group } from '../grammar/arguments.ts'
import type { GraphLink } from '../grammar/filter-graph.ts'
import { readFilterValue } from '../grammar/filter-value.ts'
import { earliest, type Refusal, type SourceRange } from '../model/refusal.ts'
import type { SubmittedFiles } from '../model/step-context.ts'
import { originOf, plainReading, type Reading } from '../read/reading.ts'
import { copyWithFilter } from './copy-with-filter.ts'

/**
 * Refusal of FFmpeg with any inputs, in its words, as far as the command line shows: a run would
 * fetch the inputs first.
 */
export function certainFailure(groups: readonly Group[], files: SubmittedFiles): Refusal | null {
  const inputCount = groups.filter(({ kind }) => kind === 'input').length
  const outputs = groups.filter((group) => group.kind === 'output')
  const links = complexLinks(groups)
  const makers = new Map(
    links.flatMap(({ isOutput, label, filter }) => (isOutput ? [[label, filter] as const] : [])),
  )
  return earliest([
    ...outputs.flatMap((group) => absentMaps(group, inputCount)),
    ...absentLinks(links, inputCount),
    ...outputs.flatMap((group) => copyWithFilter(group, makers, files)),
  ])
}

/** FFmpeg reads these numbers as C does, where a leading zero means another base. */
const fileIndex = /^-?(0|[1-9]\d*)(?=[:?]|$)/

function absentMaps({ options }: Group, inputCount: number): Refusal[] {
  return options.flatMap(({ name, value }) => {
    if (value === null || !mapping.has(name)) return []
    const { text } = plainReading(value)
    const index = fileIndex.exec(text)?.[1]
    const isOff = name !== 'map' && text.startsWith('-')
    return index === undefined || isOff ? [] : absentInput(Number(index), inputCount, value)
  })
}

const mapping: ReadonlySet<string> = new Set(['map', 'map_metadata', 'map_chapters'])

export type ComplexLink = GraphLink & { reading: Reading }

function complexLinks(groups: readonly Group[]): ComplexLink[] {
  return groups
    .flatMap(({ options }) => options)
    .flatMap(({ name, value }) =>
      value !== null && complex.has(name) ? [readFilterValue(value)] : [],
    )
    .flatMap(({ graph, reading }) =>
      graph.ok ? graph.links.map((link) => ({ ...link, reading })) : [],
    )
}

/** Inputs of complex graphs that do not come from another filter: `[1:v]`. */
function absentLinks(links: readonly ComplexLink[], inputCount: number): Refusal[] {
  const made = new Set(links.flatMap(({ isOutput, label }) => (isOutput ? [label] : [])))
  return links.flatMap(({ isOutput, label, range, reading }) => {
    const index = isOutput || made.has(label) ? undefined : fileIndex.exec(label)?.[1]
    if (index === undefined || Number(index) < inputCount) return []
    return absentInput(Number(index), inputCount, originOf(reading, range.from, range.to))
  })
}

const complex: ReadonlySet<string> = new Set(['filter_complex', 'lavfi'])

function absentInput(index: number, inputCount: number, { from, to }: SourceRange): Refusal[] {
  if (index < inputCount) return []
  const inputs =
    inputCount === 1 ? 'one input, which is 0' : `inputs 0 to ${String(inputCount - 1)}`
  const sentence = (place: string): string =>
    `Invalid input file index: ${String(index)} in ${place}; the command has ${inputCount === 0 ? 'none' : inputs}`
  return [{ type: 'command_syntax', range: { from, to }, sentence }]
}
