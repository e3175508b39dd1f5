import type { AdminCommand } from './admin-command.ts'

/** All commands, a line each. */
export function usage(commands: readonly AdminCommand[]): string {
  const lines = commands.flatMap(({ summary, ...command }) => [
    `  ${synopsis(command)}`,
    `      ${summary}`,
  ])
  return [
    ...['usage: admin COMMAND [--json]', ''],
    ...lines,
    ...['', "ACCOUNT is an account's name, id or address. --json prints for programs."],
  ].join('\n')
}

/** One command with what it takes. */
export function commandUsage(command: AdminCommand): string {
  const options = Object.entries(command.options).map(
    ([name, { value, summary }]) =>
      `  --${name}${value === undefined ? '' : ` ${value}`}`.padEnd(24) + summary,
  )
  return [`usage: admin ${synopsis(command)} [--json]`, ...options].join('\n')
}

function synopsis({ name, positionals, options }: Omit<AdminCommand, 'summary' | 'run'>): string {
  const given = Object.entries(options).map(([option, { value, many = false }]) =>
    value === undefined ? `[--${option}]` : `[--${option} ${value}]${many ? '...' : ''}`,
  )
  return [name, ...positionals, ...given].join(' ')
}
