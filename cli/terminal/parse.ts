import { parseArgs } from 'node:util'
import { nearest } from './nearest.ts'
import type { ParseArgsConfig } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** @throws UsageError in place of Node.js's own error */
export function parsed<O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(sentenceOf(error, Object.keys(options)), { cause: error })
  }
}

function sentenceOf(error: unknown, names: readonly string[]): string {
  const text = error instanceof Error ? error.message : String(error)
  const [, unknown] = /^Unknown option '(--?[^']+)'/.exec(text) ?? []
  if (unknown === undefined) return text
  const meant = nearest(unknown.replace(/^-+/, ''), names)
  return `unknown option '${unknown}'${meant === null ? '' : `; did you mean '--${meant}'?`}`
}

/** For a word behind a command that has words of its own. */
export function unknownVerb(command: string, verb: string, verbs: readonly string[]): string {
  const meant = nearest(verb, verbs)
  const advice = meant === null ? '' : `; did you mean '${meant}'?`
  return `${command} takes ${verbs.join(', ')}, not '${verb}'${advice}`
}

/** The ids and paths that a command needs. @throws UsageError for a different number */
export function exactly<Name extends string>(
  positionals: readonly string[],
  ...names: Name[]
): Record<Name, string> {
  if (positionals.length !== names.length) {
    throw new UsageError(`expected ${names.join(' ')}, found ${positionals.join(' ') || 'nothing'}`)
  }
  return Object.fromEntries(names.map((name, index) => [name, positionals[index] ?? ''])) as Record<
    Name,
    string
  >
}

export function wholeNumber(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new UsageError(`--${option} takes a whole number, not '${text}'`)
}

/** The command line is wrong: exit code 2, with a hint at `--help`. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
