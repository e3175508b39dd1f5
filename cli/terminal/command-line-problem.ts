import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'
import type { Command, CommanderError } from 'commander'

/** The command that the arguments of the latest parse name. */
export function reachedCommand(program: Command): Command {
  const [name] = program.args
  const verb = program.commands.find((command) => command.name() === name)
  return verb === undefined ? program : reachedCommand(verb)
}

/** `cloud-ffmpeg files delete --help` */
export function helpOf(command: Command): string {
  const path: string[] = ['--help']
  for (let at: Command | null = command; at !== null; at = at.parent) path.unshift(at.name())
  return path.join(' ')
}

/** @param command the one whose arguments commander has refused */
export function commandLineProblem(error: CommanderError, command: Command): UsageError {
  return new UsageError(sentenceOf(error, command), { cause: error })
}

function sentenceOf({ code, message }: CommanderError, command: Command): string {
  if (code === 'commander.excessArguments') {
    if (command.commands.length > 0) return verbSentence(command, command.args[0] ?? '')
    const found = command.args.slice(command.registeredArguments.length)
    return `unexpected '${found.join(' ')}'`
  }
  const [text = ''] = message.replace(/^error: /, '').split('\n')
  if (code !== 'commander.unknownOption') return text
  const [, typed = ''] = /'(.*)'/.exec(text) ?? []
  const names = command.options.map((option) => option.name())
  return `${text}${advice(typed.replace(/^-+/, ''), names, '--')}`
}

/** @param verb what was typed in place of one; null if nothing was */
export function verbSentence(command: Command, verb: string | null): string {
  const verbs = command.commands.map((each) => each.name())
  const hint = verb === null ? '' : advice(verb, verbs)
  if (command.parent === null) return `unknown command '${verb}'${hint}`
  const takes = `${command.name()} takes ${verbs.join(', ')}`
  return verb === null ? takes : `${takes}, not '${verb}'${hint}`
}

function advice(typed: string, names: readonly string[], prefix = ''): string {
  const meant = nearest(typed, names)
  return meant === null ? '' : `; did you mean '${prefix}${meant}'?`
}
