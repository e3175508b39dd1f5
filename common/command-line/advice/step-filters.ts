import { parseFilterGraph, type FilterUse } from '../grammar/filter-graph.ts'
import { filterOptions } from '../grammar/option-table.ts'
import { placeholderText } from '../model/placeholders.ts'
import type { ArgumentGroup, PlannedText, StepPlan } from '../model/plan.ts'

/** A filter of a command. */
export interface StepFilter extends FilterUse {
  /** Alias of the output that its graph is for; null for one of several, or of an input. */
  readonly alias: string | null
}

export function stepFilters({ groups }: StepPlan): StepFilter[] {
  return groups.flatMap((group) =>
    graphsOf(group).flatMap(({ text, isSimple }) => {
      const graph = parseFilterGraph(text)
      const alias = isSimple && group.kind === 'output' ? group.alias : null
      return graph.ok ? graph.filters.map((filter) => ({ ...filter, alias })) : []
    }),
  )
}

function graphsOf({ kind, options, target, format }: ArgumentGroup) {
  const values = options.flatMap(({ name, value }) =>
    filterOptions.has(name) && value !== null
      ? [{ text: writtenText(value), isSimple: !complex.has(name) }]
      : [],
  )
  return kind === 'input' && format === 'lavfi' && target !== null
    ? [...values, { text: writtenText(target), isSimple: false }]
    : values
}

const complex: ReadonlySet<string> = new Set(['filter_complex', 'lavfi'])

/** As a command has it, with placeholders for inputs. */
export function writtenText(text: PlannedText): string {
  return text
    .map((part) => (typeof part === 'string' ? part : placeholderText(part.input)))
    .join('')
}
