import { processorUsers } from './processor-seconds.ts'
import type { ProcessorSeconds } from './processor-seconds.ts'
import type { Figure } from '../figure/figure.ts'
import { median } from '../figure/statistics.ts'

/** In seconds of a processor. */
const leastShown = 0.05

/** Medians of several runs, a figure for each user of the processors. */
export function processorFigures(
  name: string,
  runs: readonly { readonly processors: ProcessorSeconds }[],
): Figure[] {
  return processorUsers.flatMap((user): Figure[] => {
    const value = median(runs.map(({ processors }) => processors.get(user) ?? 0))
    return value < leastShown ? [] : [{ name: `${name}.of-${user}`, value, unit: 's' }]
  })
}
