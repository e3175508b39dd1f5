import { parseFilterGraph, type FilterUse } from '../grammar/filter-graph.ts'
import { filterOptions } from '../grammar/option-table.ts'
import { filterOptionName } from '../policy/filter-files.ts'
import type { ArgumentGroup, PlannedText, StepPlan } from '../model/plan.ts'

/** What a filter drawtext draws, as far as the command has it. */
export interface DrawnText {
  /** Without what is replaced for each frame, such as `%{pts}`. */
  readonly text: string
  /** null where the command names none. */
  readonly font: string | null
}

/** Texts that stand in the command; not those from files, nor those in a font of the user's. */
export function drawnTexts({ groups }: StepPlan): DrawnText[] {
  return groups.flatMap(graphsOf).flatMap((written) => {
    const graph = parseFilterGraph(written)
    const filters = graph.ok ? graph.filters : []
    return filters.filter(({ name }) => name === 'drawtext').flatMap(drawnBy)
  })
}

function drawnBy({ name, arguments: given }: FilterUse): DrawnText[] {
  const options = new Map(
    given.map(({ key, value }, at) => [filterOptionName(name, key, at), value]),
  )
  const text = options.get('text')
  if (text === undefined || options.has('fontfile') || options.has('textfile')) return []
  const shown = expanded(text, options.get('expansion') ?? 'normal')
  return [{ text: shown, font: options.get('font') ?? null }]
}

/** With `expansion=normal`, the default, a backslash takes away the meaning of what follows it. */
function expanded(text: string, expansion: string): string {
  if (expansion === 'none') return text
  if (expansion === 'strftime') return text.replace(/%./gs, '')
  return text.replace(/\\(.)|%\{(?:[^\\}]|\\.)*\}/gs, (_, escaped?: string) => escaped ?? '')
}

function graphsOf({ kind, options, target, format }: ArgumentGroup): string[] {
  const values = options
    .filter(({ name }) => filterOptions.has(name))
    .map(({ value }) => textOf(value))
  return kind === 'input' && format === 'lavfi' ? [...values, textOf(target)] : values
}

function textOf(text: PlannedText | null): string {
  return (text ?? []).map((part) => (typeof part === 'string' ? part : part.input)).join('')
}
