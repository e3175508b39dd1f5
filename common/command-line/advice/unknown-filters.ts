import { parseFilterGraph } from '../grammar/filter-graph.ts'
import filterNames from '../grammar/filters.json' with { type: 'json' }
import { filterOptions } from '../grammar/option-table.ts'
import { nearestName } from './nearest-name.ts'
import type { ArgumentGroup, PlannedText, StepPlan } from '../model/plan.ts'

export interface UnknownFilter {
  readonly name: string
  /** null where no name is near. */
  readonly nearest: string | null
}

const known: ReadonlySet<string> = new Set(filterNames)

/**
 * Filters that the FFmpeg of the runner image lacks, each once. They are not refused: the list may be
 * that of another image than the one that is installed.
 */
export function unknownFilters({ groups }: StepPlan): UnknownFilter[] {
  const names = groups.flatMap(graphsOf).flatMap((text) => {
    const graph = parseFilterGraph(text)
    return graph.ok ? graph.filters.map(({ name }) => name) : []
  })
  return [...new Set(names)]
    .filter((name) => !known.has(name))
    .map((name) => ({ name, nearest: nearestName(name, filterNames) }))
}

function graphsOf({ kind, options, target, format }: ArgumentGroup): string[] {
  const values = options.flatMap(({ name, value }) =>
    filterOptions.has(name) && value !== null ? [textOf(value)] : [],
  )
  return kind === 'input' && format === 'lavfi' && target !== null
    ? [...values, textOf(target)]
    : values
}

function textOf(text: PlannedText): string {
  return text.map((part) => (typeof part === 'string' ? part : part.input)).join('')
}
