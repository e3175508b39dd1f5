import {
  customerArgv,
  defaultMaxPixels,
  finalArgv,
} from '../../common/command-line/plan/final-argv.ts'
import { planCommands } from '../../common/command-line/plan/plan-commands.ts'
import type {
  CommandError,
  CommandPlan,
  CommandSubmission,
  PlanResult,
  StepPlan,
} from '../../common/command-line/model/plan.ts'

/** One command with up to two inputs and one output: what most tests start from. */
const simple: CommandSubmission = {
  commands: [],
  inputAliases: ['in_1', 'in_2'],
  outputs: { out_1: 'out.mp4' },
  inputFolder: false,
  chained: false,
}

/** A zip in and OUTPUT_FOLDER out: bare names are allowed everywhere. */
export const folders = {
  inputAliases: [],
  outputs: 'OUTPUT_FOLDER',
  inputFolder: true,
} as const

export const inputPaths = { in_1: '../in/in_1.mp4', in_2: '../in/in_2.mp4' }

/** @throws the messages of a refusal */
export function planOf(
  commands: string | readonly string[],
  changes: Partial<CommandSubmission> = {},
): CommandPlan {
  const result = planned(commands, changes)
  if (result.ok) return result.plan
  throw new Error(result.errors.map(({ message }) => message).join('\n'))
}

function planned(
  commands: string | readonly string[],
  changes: Partial<CommandSubmission>,
): PlanResult {
  const texts = typeof commands === 'string' ? [commands] : commands
  return planCommands({ ...simple, chained: texts.length > 1, ...changes, commands: texts })
}

export function stepOf(command: string, changes: Partial<CommandSubmission> = {}): StepPlan {
  const [step] = planOf(command, changes).steps
  if (step === undefined) throw new Error('the plan has no step')
  return step
}

export function errorsOf(
  commands: string | readonly string[],
  changes: Partial<CommandSubmission> = {},
): CommandError[] {
  const result = planned(commands, changes)
  return result.ok ? [] : result.errors
}

/** Type and token of the one error, in short. */
export function refusalOf(command: string, changes: Partial<CommandSubmission> = {}): string {
  const errors = errorsOf(command, changes)
  return errors.map(({ type, token }) => `${type} ${token}`).join('; ') || 'accepted'
}

export function argvOf(command: string, changes: Partial<CommandSubmission> = {}): string[] {
  return customerArgv(stepOf(command, changes), {
    inputPaths,
    vcpuCount: 4,
    maxPixels: defaultMaxPixels,
  })
}

export function finalArgvOf(
  command: string,
  changes: Partial<CommandSubmission> = {},
  vcpuCount = 4,
): string[] {
  return finalArgv(stepOf(command, changes), {
    inputPaths,
    vcpuCount,
    maxPixels: defaultMaxPixels,
  })
}
