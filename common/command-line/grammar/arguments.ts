import { doubleDash, flagMistake } from './flag-mistakes.ts'
import { readOption } from './option-table.ts'
import { plainReading, type Reading } from '../read/reading.ts'
import type { Refusal } from '../model/refusal.ts'
import type { Token } from '../read/tokens.ts'

/** An option with its value; `value` is null for options that take none. */
export type OptionArgument = { flag: Reading; name: string; value: Token | null }

/** Options with the file that they belong to. `trailing` options belong to no file; FFmpeg ignores them. */
export type Group =
  | { kind: 'input' | 'output'; options: OptionArgument[]; target: Token }
  | { kind: 'trailing'; options: OptionArgument[]; target: null }

export type Walk = { ok: true; groups: Group[] } | { ok: false; refusals: Refusal[] }

/** Inputs and outputs that one command may have; 20,000 inputs kept FFmpeg opening for 20 s. */
export const filesLimit = 200

/**
 * Walks the arguments as FFmpeg does: an option, its value if it takes one, an input behind `-i`,
 * otherwise an output. Options before an `-i` or an output belong to it. Names are exact. `--` says
 * that an output follows, which is known without it.
 */
export function walkArguments(tokens: readonly Token[]): Walk {
  const groups: Group[] = []
  let options: OptionArgument[] = []
  let separator: Reading | null = null
  const refusals: Refusal[] = []
  const words = tokens.values()
  for (const token of words) {
    const flag = plainReading(token)
    if (flag.text === '--') {
      separator = flag
      continue
    }
    if (!isFlag(flag.text)) {
      groups.push({ kind: 'output', options, target: token })
      options = []
      separator = null
      continue
    }
    const option = readOption(flag.text)
    const value = option.takesValue ? (words.next().value ?? null) : null
    const isShifted = refusals.length > 0 && option.takesValue && value === null
    const refusal = separator === null ? flagMistake(flag, option, value) : doubleDash(separator)
    // The values that follow a mistake may be those of other options.
    if (refusal !== null && !isShifted) refusals.push(refusal)
    separator = null
    if (flag.text === '-i' && value !== null) {
      groups.push({ kind: 'input', options, target: value })
      options = []
    } else {
      options.push({ flag, name: option.name, value })
    }
  }
  if (options.length > 0) groups.push({ kind: 'trailing', options, target: null })
  const tooMany = refusals.length === 0 ? tooManyFiles(groups) : null
  if (tooMany !== null) refusals.push(tooMany)
  return refusals.length === 0 ? { ok: true, groups } : { ok: false, refusals }
}

/** A lone dash is a file name (standard output) to FFmpeg. */
function isFlag(text: string): boolean {
  return text.startsWith('-') && text !== '-'
}

function tooManyFiles(groups: readonly Group[]): Refusal | null {
  for (const kind of ['input', 'output'] as const) {
    const range = groups.filter((group) => group.kind === kind)[filesLimit]?.target
    if (range) {
      const sentence = (place: string): string =>
        `A command can have ${filesLimit} ${kind}s, ${place} is one too many`
      return { type: 'command_syntax', range, sentence }
    }
  }
  return null
}
