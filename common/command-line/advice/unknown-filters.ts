import filterNames from '../grammar/filters.json' with { type: 'json' }
import { nearestName } from '../remedies/nearest-name.ts'
import { stepFilters } from '../steps/step-filters.ts'
import type { StepPlan } from '../model/plan.ts'

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
export function unknownFilters(step: StepPlan): UnknownFilter[] {
  const names = new Set(stepFilters(step).map(({ name }) => name))
  return [...names]
    .filter((name) => !known.has(name))
    .map((name) => ({ name, nearest: nearestName(name, filterNames) }))
}
