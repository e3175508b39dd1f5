import type { Finding } from '../model/findings.ts'
import type { StepPlan } from '../model/plan.ts'
import type { SubmittedFiles } from '../model/step-context.ts'

export type StepFiles = Pick<StepPlan, 'reads' | 'writes' | 'usesWorkingFiles'> & {
  /** Reads a list of files, whose names stand in a file and not in the command. */
  readsList: boolean
  /** Files that the command names itself; patterns as written. */
  files: readonly Extract<Finding, { kind: 'file' }>[]
  /** The step writes files under names that it does not say, as pass logs. */
  writesUnnamed: boolean
}

/**
 * The earlier steps that must have ended before the step at `index` starts: those that write what
 * it reads, by alias or by name, and those that share files by undeclared names, such as pass logs.
 * Steps without a path between them may run concurrently.
 */
export function dependenciesOf(
  steps: readonly StepFiles[],
  index: number,
  outputs: SubmittedFiles['outputs'],
): number[] {
  const step = steps[index]
  if (step === undefined) return []
  return steps
    .slice(0, index)
    .flatMap((earlier, at) => (mustPrecede(earlier, step, outputs) ? [at] : []))
}

function mustPrecede(
  earlier: StepFiles,
  later: StepFiles,
  outputs: SubmittedFiles['outputs'],
): boolean {
  return (
    earlier.readsList ||
    later.readsList ||
    (earlier.usesWorkingFiles && later.usesWorkingFiles) ||
    later.reads.some((alias) => earlier.writes.includes(alias)) ||
    namesOutput(later, earlier, outputs) ||
    namesOutput(earlier, later, outputs)
  )
}

/** A declared output may be read, or overwritten, under its plain name too. */
function namesOutput(
  naming: StepFiles,
  writing: StepFiles,
  outputs: SubmittedFiles['outputs'],
): boolean {
  const paths = writing.writes.flatMap((alias) => outputs.get(alias)?.path ?? [])
  return naming.files.some((file) => paths.some((path) => mayMean(file.path, path)))
}

function mayMean(name: string, path: string): boolean {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : null
  if (folder !== null) return name.startsWith(folder)
  return name === path || /[%*?[]/.test(name)
}
