import { isInputAlias } from '../model/alias.ts'
import { dependenciesOf } from './step-dependencies.ts'
import { isPlaylistAlias, outputPath } from '../model/output-name.ts'
import type { LoneStep } from './plan-step.ts'
import { planStep } from './plan-step.ts'
import type {
  CommandError,
  CommandPlan,
  CommandSubmission,
  PlanResult,
  PlannedOutput,
  StepPlan,
} from '../model/plan.ts'
import { toCommandError } from '../model/refusal.ts'
import { outputPathOf, submittedFiles, type SubmittedFiles } from '../model/submitted-files.ts'
import { findPlaceholders, placeholderAt } from '../model/placeholders.ts'

/**
 * Reads the command lines of a submission, checks them against the policy and against what is
 * declared beside them, and plans each step. Pure: the same text gives the same plan in the API,
 * in the dry run and in the runner. Reports the first mistake of each command.
 */
export function planCommands(submission: CommandSubmission): PlanResult {
  const files = submittedFiles(submission)
  const written = new Map<string, number | null>()
  const errors: CommandError[] = []
  const steps: LoneStep[] = []
  for (const [index, source] of submission.commands.entries()) {
    const earlierNames = files.outputFolder && index > 0
    const planned = planStep(source, { ...files, earlierNames }, written)
    if (planned.ok) {
      steps.push(planned.step)
    } else {
      errors.push(toCommandError(planned.refusal, source, index))
    }
    const writes = planned.ok ? planned.step.writes : (planned.writes ?? [])
    for (const alias of writes) written.set(alias, written.get(alias) ?? index)
    // A step with a mistake may have meant to write what it names: one mistake, one error.
    const others = planned.ok ? [] : aliasesNamed(source)
    for (const alias of others) if (!written.has(alias)) written.set(alias, null)
  }
  if (errors.length > 0) return { ok: false, errors }
  const unwritten = [...files.outputs.keys()].filter((alias) => !written.has(alias))
  if (unwritten.length > 0) {
    return { ok: false, errors: [neverWritten(unwritten, submission.chained)] }
  }
  return { ok: true, plan: planOf(steps, submission, files, written) }
}

function planOf(
  steps: readonly LoneStep[],
  submission: CommandSubmission,
  files: SubmittedFiles,
  written: ReadonlyMap<string, number | null>,
): CommandPlan {
  const pathOf = (alias: string): string | null => outputPathOf(files, alias)
  return {
    steps: steps.map((lone, index): StepPlan => {
      const { readsList: _, names: __, ...step } = lone
      return { index, ...step, dependsOn: dependenciesOf(steps, index, pathOf) }
    }),
    usedInputs: usedInputs(steps, submission.inputAliases),
    outputs: [...files.outputs].map(([alias, name]) =>
      plannedOutput(alias, name, written.get(alias) ?? 0),
    ),
  }
}

/** A list of files names its members itself, so with one every input has to be there. */
function usedInputs(steps: readonly LoneStep[], inputAliases: readonly string[]): string[] {
  if (steps.some(({ readsList }) => readsList)) return [...inputAliases]
  const read = new Set(steps.flatMap(({ reads }) => reads))
  return inputAliases.filter((alias) => read.has(alias))
}

function plannedOutput(alias: string, name: string, step: number): PlannedOutput {
  return {
    alias,
    name,
    path: outputPath(alias, name),
    folder: isPlaylistAlias(alias) ? alias : null,
    step,
  }
}

function neverWritten(aliases: readonly string[], chained: boolean): CommandError {
  const list = aliases.map((alias) => `'${alias}'`).join(', ')
  const what = aliases.length === 1 ? `Output ${list} is` : `Outputs ${list} are`
  const where = chained ? 'no command writes' : 'the command does not write'
  const them = aliases.length === 1 ? 'it' : 'them'
  return {
    command: chained ? null : 0,
    type: 'command_alias',
    message: `${what} declared, but ${where} ${them}; write {{${aliases[0]}}} as an output or remove ${them}`,
    token: null,
    position: null,
  }
}

function aliasesNamed(source: string): string[] {
  const canonical = findPlaceholders(source).map(({ alias }) => alias)
  const others = Array.from(source.matchAll(/[\\{<]/g), ({ index }) =>
    placeholderAt(source, index),
  ).flatMap((found) => (found === null ? [] : [found.alias]))
  return [...canonical, ...others].filter((alias) => !isInputAlias(alias))
}
