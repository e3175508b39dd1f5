import { parseArgs } from 'node:util'
import { nearestName } from '../../../common/command-line/remedies/nearest-name.ts'
import { AdminError } from './admin-command.ts'
import type { AdminCommand, Given } from './admin-command.ts'

export type ReadArguments =
  | { readonly kind: 'help'; readonly text: string }
  | {
      readonly kind: 'run'
      readonly command: AdminCommand
      readonly given: Given
      readonly json: boolean
    }

/** @throws AdminError with exit code 2 and the usage */
export function readArguments(
  commands: readonly AdminCommand[],
  args: readonly string[],
): ReadArguments {
  const words = args.filter((arg) => !arg.startsWith('-')).slice(0, 2)
  const named = (name: string) => commands.find((command) => command.name === name)
  const command = named(words.join(' ')) ?? named(words[0] ?? '')
  if (command === undefined) {
    const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `))
    const text = usage(group.length > 0 ? group : commands)
    // `admin accounts`, with or without `--help`, lists the commands of that group.
    const wantsHelp =
      args.length === 0 || args.some(isHelp) || (words.length === 1 && group.length > 0)
    if (wantsHelp && (words.length === 0 || group.length > 0)) return { kind: 'help', text }
    throw new AdminError(unknownCommand(words, commands, group.length > 0 ? text : null), 2)
  }
  if (args.some(isHelp)) return { kind: 'help', text: commandUsage(command) }
  const { values, positionals } = parsed(command, args)
  const own = positionals.slice(command.name.split(' ').length)
  const missing = command.positionals[own.length]
  if (missing !== undefined) throw wrong(command, `${missing} is missing`)
  const more = own[command.positionals.length]
  if (more !== undefined && !takesMore(command))
    throw wrong(command, `'${more}' is one argument too many`)
  return {
    kind: 'run',
    command,
    given: givenIn(command, own, values),
    json: values['json'] === true,
  }
}

/** @param group usage of the group that the first word names; the usage of all commands would hide the message */
function unknownCommand(
  words: readonly string[],
  commands: readonly AdminCommand[],
  group: string | null,
): string {
  const typed = words.join(' ')
  if (group !== null) return `unknown command '${typed}'\n\n${group}`
  const known = commands.flatMap(({ name }) => [name, name.split(' ')[0] ?? ''])
  const meant = nearestName(typed, known) ?? nearestName(words[0] ?? '', known)
  const guess = meant === null ? '' : `; did you mean '${meant}'?`
  return `unknown command '${typed}'${guess}\n'admin --help' shows all commands`
}

function isHelp(arg: string): boolean {
  return arg === '--help' || arg === '-h'
}

function takesMore({ positionals }: Pick<AdminCommand, 'positionals'>): boolean {
  return positionals.at(-1)?.endsWith('...') === true
}

/** Effects outside the database cannot be rolled back. */
function canRehearse({ readsOnly, needsDatabase, ...command }: AdminCommand): boolean {
  return command.canRehearse ?? (readsOnly !== true && needsDatabase !== false)
}

type Values = Readonly<Record<string, unknown>>

function parsed(command: AdminCommand, args: readonly string[]) {
  const options: Record<string, { type: 'boolean' | 'string'; multiple: boolean }> = {
    json: { type: 'boolean', multiple: false },
    ...(canRehearse(command) ? { 'dry-run': { type: 'boolean', multiple: false } } : {}),
  }
  for (const [name, { value, many = false }] of Object.entries(command.options)) {
    options[name] = { type: value === undefined ? 'boolean' : 'string', multiple: many }
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw wrong(command, optionProblem(error.message, Object.keys(options)))
  }
}

/** Node.js adds how to pass the word as a positional argument, which no command here takes. */
function optionProblem(message: string, options: readonly string[]): string {
  const [text = message] = message.split('. To specify a positional')
  const [, unknown] = /^Unknown option '--([^']+)'/.exec(message) ?? []
  const meant = unknown === undefined ? null : nearestName(unknown, options)
  return meant === null ? text : `${text}; did you mean '--${meant}'?`
}

function givenIn(command: AdminCommand, positionals: readonly string[], values: Values): Given {
  return {
    positional(name) {
      const value = positionals[command.positionals.indexOf(name)]
      if (value === undefined) throw new Error(`${command.name} declares no ${name}`)
      return value
    },
    option(name) {
      const value = values[name]
      if (value !== undefined && value === '') throw wrong(command, `--${name} is empty`)
      return typeof value === 'string' ? value : null
    },
    options(name) {
      const value = values[name]
      const all = (Array.isArray(value) ? value : []).map(String)
      if (all.includes('')) throw wrong(command, `--${name} is empty`)
      return all
    },
    rest: (name) => positionals.slice(command.positionals.indexOf(name)),
    flag: (name) => values[name] === true,
    isRehearsal: values['dry-run'] === true,
  }
}

function wrong(command: AdminCommand, message: string): AdminError {
  return new AdminError(`${message}\n\n${commandUsage(command)}`, 2)
}

/** All commands, a line each. */
export function usage(commands: readonly AdminCommand[]): string {
  const lines = commands.flatMap(({ summary, ...command }) => [
    `  ${synopsis(command)}`,
    `      ${summary}`,
  ])
  return [
    'usage: admin COMMAND [--json]',
    '',
    ...lines,
    '',
    "ACCOUNT is an account's name, id or address. --json prints for programs.",
    '--by NAME is kept with a change as who claims to have made it; `actions` shows it.',
  ].join('\n')
}

/** One command with its options. */
export function commandUsage(command: AdminCommand): string {
  const options = Object.entries(command.options).map(
    ([name, { value, summary }]) =>
      `  --${name}${value === undefined ? '' : ` ${value}`}`.padEnd(22) + `  ${summary}`,
  )
  const rehearsal = canRehearse(command)
    ? [`  ${'--dry-run'.padEnd(22)}shows the result and changes nothing`]
    : []
  return [`usage: admin ${synopsis(command)} [--json]`, ...options, ...rehearsal].join('\n')
}

function synopsis({ name, positionals, options }: Omit<AdminCommand, 'summary' | 'run'>): string {
  const given = Object.entries(options).map(([option, { value, many = false }]) =>
    value === undefined ? `[--${option}]` : `[--${option} ${value}]${many ? '...' : ''}`,
  )
  return [name, ...positionals, ...given].join(' ')
}
