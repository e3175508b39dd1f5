import { planCommands } from '../../../common/command-line/plan/plan-commands.ts'
import type { CommandPlan } from '../../../common/command-line/model/plan.ts'
import { Failure } from '../../../common/domain/failures.ts'
import type { Assignment } from '../../../common/gateway/messages.ts'

/**
 * Parses and checks the command text once more: an object applied with kubectl did not pass the
 * API.
 * @throws Failure INVALID_COMMAND or FORBIDDEN_OPERATION
 */
export function planAssignment(
  assignment: Pick<Assignment, 'commands' | 'inputs' | 'inputFolder' | 'outputs'>,
): CommandPlan {
  const planned = planCommands({
    commands: assignment.commands,
    inputAliases: assignment.inputs.map(({ alias }) => alias),
    outputs: assignment.outputs ?? 'OUTPUT_FOLDER',
    inputFolder: assignment.inputFolder !== null,
    chained: assignment.commands.length > 1,
  })
  if (planned.ok) return planned.plan
  const [error] = planned.errors
  if (error === undefined) throw new Error('the command was refused without a reason')
  const place =
    error.command === null || assignment.commands.length === 1
      ? ''
      : `Command ${String(error.command)}: `
  throw new Failure(
    error.type === 'command_forbidden' ? 'FORBIDDEN_OPERATION' : 'INVALID_COMMAND',
    place + error.message,
  )
}
