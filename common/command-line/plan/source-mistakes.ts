import { outputClashes } from '../model/output-clash.ts'
import { playlistProblem } from '../model/output-name.ts'
import { planSource } from './plan-commands.ts'
import type { CommandError, CommandPlan } from '../model/plan.ts'
import type { CommandSource } from '../model/command-source.ts'
import type { ValidationMistake } from '../../openapi/openapi-types.ts'

/**
 * Mistakes that a schema cannot express: names that must match each other, and the command's text. The
 * text is checked only if all else is valid, because its mistakes would follow from the others. Pure,
 * so that the console shows while a user types what the API will answer.
 */
export function sourceMistakes(source: CommandSource, chained: boolean): ValidationMistake[] {
  const checked = checkSource(source, chained)
  return checked.ok ? [] : checked.mistakes
}

export type CheckedSource =
  | { readonly ok: true; readonly plan: CommandPlan }
  | { readonly ok: false; readonly mistakes: ValidationMistake[] }

/** The same, with the plan of a command that has no mistake. */
export function checkSource(source: CommandSource, chained: boolean): CheckedSource {
  const mistakes = outputMistakes(source.outputFiles ?? {})
  if (mistakes.length > 0) return { ok: false, mistakes }
  const planned = planSource(source, chained)
  if (planned.ok) return planned
  return { ok: false, mistakes: planned.errors.map((error) => textMistake(error, chained)) }
}

function outputMistakes(outputs: Readonly<Record<string, string>>): ValidationMistake[] {
  const clashes = outputClashes(Object.entries(outputs))
  return Object.entries(outputs).flatMap(([alias, name]) => {
    const msg = clashes.get(alias) ?? playlistProblem(alias, name)
    return msg === null
      ? []
      : [{ loc: ['body', 'output_files', alias], msg, type: 'value_error' as const }]
  })
}

function textMistake(
  { command, type, message, token, position }: CommandError,
  chained: boolean,
): ValidationMistake {
  const place = chained ? ['ffmpeg_commands', ...indexOf(command)] : ['ffmpeg_command']
  return { loc: ['body', ...place], msg: message, type, ctx: { token, position } }
}

/** An output that no command writes belongs to the chain, so its location has no index. */
function indexOf(command: number | null): string[] {
  return command === null ? [] : [String(command)]
}
