import type { StepPlan } from './plan.ts'

export type StepFiles = Pick<StepPlan, 'reads' | 'writes' | 'usesWorkingFiles'> & {
  /** Reads a list of files, whose names stand in a file and not in the command. */
  readsList: boolean
}

/**
 * The earlier steps that must have ended before the step at `index` starts: those that write what
 * it reads, and those that share files by names of nobody's declaring, such as pass logs. Steps
 * without a path between them may run side by side.
 */
export function dependenciesOf(steps: readonly StepFiles[], index: number): number[] {
  const step = steps[index]
  if (step === undefined) return []
  return steps.slice(0, index).flatMap((earlier, at) => (mustPrecede(earlier, step) ? [at] : []))
}

function mustPrecede(earlier: StepFiles, later: StepFiles): boolean {
  return (
    later.readsList ||
    (earlier.usesWorkingFiles && later.usesWorkingFiles) ||
    later.reads.some((alias) => earlier.writes.includes(alias))
  )
}
