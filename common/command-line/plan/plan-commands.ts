import { mentionedPlaceholders } from '../model/placeholders.ts'
import type { CommandError, CommandSubmission, PlanResult } from '../model/plan.ts'
import { toCommandError } from '../model/refusal.ts'
import { handOn, unreadPatterns, type WrittenPattern } from '../steps/patterns-between-steps.ts'
import { submittedFiles } from '../model/step-context.ts'
import { planStep } from './plan-step.ts'
import type { LoneStep } from '../steps/step-facts.ts'
import { wholePlan } from './whole-plan.ts'
import type { CommandSource } from '../model/command-source.ts'

/**
 * Reads the command lines of a submission, checks them against the policy and against what is
 * declared beside them, and plans each step. Pure: the same text gives the same plan in the API,
 * in the dry run and in the runner. Reports the mistakes of each command in the order of its text.
 */
export function planCommands(submission: CommandSubmission): PlanResult {
  const files = submittedFiles(submission)
  const ledger = new Map<string, number | null>()
  const errors: CommandError[] = []
  const steps: LoneStep[] = []
  const patterns = new Map<string, WrittenPattern>()
  for (const [index, source] of submission.commands.entries()) {
    const readsNames = files.inputFolder || (files.outputFolder && index > 0)
    const known = { source, files, readsNames, ledger, patterns: [...patterns.keys()] }
    const planned = planStep(known)
    for (const alias of planned.writes) ledger.set(alias, ledger.get(alias) ?? index)
    if (planned.ok) {
      steps.push(planned.step)
      handOn(planned.step, index, patterns)
      continue
    }
    errors.push(...planned.refusals.map((refusal) => toCommandError(refusal, source, index)))
    // A step with a mistake may have meant to write what it names: one mistake, one error.
    for (const { alias } of mentionedPlaceholders(source)) {
      if (!ledger.has(alias)) ledger.set(alias, null)
    }
  }
  // A reader with a mistake may have meant it.
  if (errors.length === 0 && !files.outputFolder) {
    errors.push(...unreadPatterns(patterns, submission.commands))
  }
  if (errors.length > 0) return { ok: false, errors: errors.slice(0, mostErrors) }
  return wholePlan(steps, files, ledger)
}

/** Who has made more would not read them all. */
const mostErrors = 20

/** Plans a command of the database, or one that is about to be inserted. */
export function planSource(source: CommandSource, chained: boolean): PlanResult {
  return planCommands({
    commands: source.commands,
    inputAliases: Object.keys(source.inputFiles ?? {}),
    outputs: source.outputFiles ?? 'OUTPUT_FOLDER',
    inputFolder: source.inputCompressedFolder !== null,
    chained,
  })
}
