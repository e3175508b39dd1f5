import type { CommandError, PlanResult, StepPlan } from '../model/plan.ts'
import type { AliasLedger, SubmittedFiles } from '../model/step-context.ts'
import { dependenciesOf } from './step-dependencies.ts'
import type { LoneStep } from './step-facts.ts'

/** Joins steps without a mistake; each declared output must be written by a step. */
export function wholePlan(
  steps: readonly LoneStep[],
  { inputs, outputs }: SubmittedFiles,
  ledger: AliasLedger,
  chained: boolean,
): PlanResult {
  const unwritten = [...outputs.keys()].filter((alias) => !ledger.has(alias))
  if (unwritten.length > 0) return { ok: false, errors: [neverWritten(unwritten, chained)] }
  // A list of files names its members itself, so with one every input has to be there.
  const readsAll = steps.some(({ readsList }) => readsList)
  const read = new Set(steps.flatMap(({ reads }) => reads))
  const plan = {
    steps: steps.map((lone, index): StepPlan => {
      const { readsList: _, names: __, ...step } = lone
      return { index, ...step, dependsOn: dependenciesOf(steps, index, outputs) }
    }),
    usedInputs: [...inputs].filter((alias) => readsAll || read.has(alias)),
    outputs: Array.from(outputs.values(), (output) => ({
      ...output,
      step: ledger.get(output.alias) ?? 0,
    })),
  }
  return { ok: true, plan }
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
