import { commandAdvice } from '../../../common/command-line/advice/command-advice.ts'
import type { CommandWarning } from '../../../common/domain/command-warnings.ts'
import type { CommandPlan } from '../../../common/command-line/model/plan.ts'
import type { Assignment } from '../../../common/gateway/messages.ts'

/** Warnings from the text of the command alone, in the words of its submission: many were applied with kubectl. */
export function plannedWarnings(
  plan: CommandPlan,
  { commands, inputs }: Pick<Assignment, 'commands' | 'inputs'>,
): CommandWarning[] {
  const declaredInputs = inputs.map(({ alias }) => alias)
  const advice = commandAdvice(plan, { chained: commands.length > 1, declaredInputs })
  return advice.flatMap(({ code, message, alias }) =>
    code === null ? [] : [{ code, message, alias }],
  )
}
