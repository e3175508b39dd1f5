import type { CommandError, PlanResult, StepPlan } from '../model/plan.ts'
import type { AliasLedger, SubmittedFiles } from '../model/step-context.ts'
import { dependenciesOf } from '../steps/step-dependencies.ts'
import type { LoneStep } from '../steps/step-facts.ts'

/** Joins steps without a mistake; each declared output must be written by a step. */
export function wholePlan(
  steps: readonly LoneStep[],
  { inputs, outputs, outputFolder, chained }: SubmittedFiles,
  ledger: AliasLedger,
): PlanResult {
  const unwritten = [...outputs.keys()].filter((alias) => !ledger.has(alias))
  if (unwritten.length > 0) {
    return { ok: false, errors: [neverWritten(unwritten, chained, steps)] }
  }
  if (outputFolder && !steps.some(writesFiles))
    return { ok: false, errors: [ofWhole(emptyFolder, chained)] }
  // A list of files names its members itself, so with one every input has to be there.
  const readsAll = steps.some(({ readsList }) => readsList)
  const read = new Set(steps.flatMap(({ reads }) => reads))
  const plan = {
    steps: steps.map((lone, index): StepPlan => {
      const { readsList: _, files: __, writesUnnamed: ___, ...step } = lone
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

/** All outputs of a command without are the null sink, `-f null -`. */
function writesFiles({ writes, files, writesUnnamed }: LoneStep): boolean {
  return writes.length > 0 || writesUnnamed || files.some(({ access }) => access === 'write')
}

function neverWritten(
  aliases: readonly string[],
  chained: boolean,
  steps: readonly LoneStep[],
): CommandError {
  const list = aliases.map((alias) => `'${alias}'`).join(', ')
  const what = aliases.length === 1 ? `Output ${list} is` : `Outputs ${list} are`
  const where = chained ? 'no command writes' : 'the command does not write'
  const them = aliases.length === 1 ? 'it' : 'them'
  const alias = `{{${aliases[0]}}}`
  const remedy = steps.some(writesFiles)
    ? `write ${alias} as an output${steps.every(writesFiles) ? '' : `, 2> ${alias} behind -f null - for its log,`} or remove ${them}`
    : `-f null writes no file. Write 2> ${alias} at its end for FFmpeg's log, or ametadata=print:file=${alias} behind a filter that measures; with "output_files": {} the logs are the result`
  return ofWhole(`${what} declared, but ${where} ${them}; ${remedy}`, chained)
}

const emptyFolder =
  'With -f null FFmpeg writes no file, so that OUTPUT_FOLDER would be empty; send "output_files": {} and read the logs, or declare "out_1": "log.txt" and end the command with 2> {{out_1}}'

function ofWhole(message: string, chained: boolean): CommandError {
  return {
    command: chained ? null : 0,
    type: 'command_alias',
    message,
    token: null,
    position: null,
  }
}
