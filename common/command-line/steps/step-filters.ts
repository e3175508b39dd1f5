import { parseFilterGraph, type FilterUse } from '../grammar/filter-graph.ts'
import { filterOptions } from '../grammar/option-table.ts'
import { placeholderText } from '../model/placeholders.ts'
import type { ArgumentGroup, PlannedText, StepPlan } from '../model/plan.ts'

const parsed = new WeakMap<StepPlan, FilterUse[]>()

/** Every filter of a command, those of generated inputs too; parsed once, as each advice needs them. */
export function stepFilters(step: StepPlan): FilterUse[] {
  const filters = parsed.get(step) ?? filtersOf(step)
  parsed.set(step, filters)
  return filters
}

function filtersOf({ groups }: StepPlan): FilterUse[] {
  return groups.flatMap(graphsOf).flatMap((text) => {
    const graph = parseFilterGraph(text)
    return graph.ok ? graph.filters : []
  })
}

function graphsOf({ kind, options, target, format }: ArgumentGroup): string[] {
  const values = options.flatMap(({ name, value }) =>
    filterOptions.has(name) && value !== null ? [writtenText(value)] : [],
  )
  return kind === 'input' && format === 'lavfi' && target !== null
    ? [...values, writtenText(target)]
    : values
}

/** Text as a command has it, with placeholders for inputs. */
export function writtenText(text: PlannedText): string {
  return text
    .map((part) => (typeof part === 'string' ? part : placeholderText(part.input)))
    .join('')
}
