import { modernSpelling, optionName, optionRefusal, takesValue } from './option-table.ts'
import { plainReading, type Reading } from '../read/reading.ts'
import type { Refusal } from '../model/refusal.ts'
import type { Token } from '../read/tokens.ts'

/** An option with its value; `value` is null for options that take none. */
export type OptionArgument = { flag: Reading; name: string; value: Token | null }

/** Options with the file that they belong to. `trailing` options belong to no file; FFmpeg ignores them. */
export type Group =
  | { kind: 'input' | 'output'; options: OptionArgument[]; target: Token }
  | { kind: 'trailing'; options: OptionArgument[]; target: null }

export type Walk = { ok: true; groups: Group[] } | { ok: false; refusal: Refusal }

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
    const refusal = flagRefusal(separator ?? flag)
    if (refusal !== null) return { ok: false, refusal }
    const name = optionName(flag.text)
    if (!takesValue(name)) {
      options.push({ flag, name, value: null })
      continue
    }
    const value = words.next().value
    if (value === undefined) return { ok: false, refusal: missingValue(flag) }
    if (plainReading(value).text === '-i') return { ok: false, refusal: swallowedInput(flag) }
    if (flag.text === '-i') {
      groups.push({ kind: 'input', options, target: value })
      options = []
    } else {
      options.push({ flag, name, value })
    }
  }
  if (options.length > 0) groups.push({ kind: 'trailing', options, target: null })
  const refusal = tooManyFiles(groups)
  return refusal === null ? { ok: true, groups } : { ok: false, refusal }
}

/** A lone dash is a file name (standard output) to FFmpeg. */
function isFlag(text: string): boolean {
  return text.startsWith('-') && text !== '-'
}

function flagRefusal(flag: Reading): Refusal | null {
  const name = optionName(flag.text)
  const refused = optionRefusal(flag.text)
  if (refused !== null) {
    return refusalAt(flag, 'command_forbidden', (place) => `Option ${place} ${refused}`)
  }
  if (flag.text.startsWith('--')) {
    const single = flag.text.replace(/^-+/, '-')
    const remedy =
      flag.text === '--' ? 'remove it' : (misspelling(single) ?? `write '${shorten(single)}'`)
    return refusalAt(
      flag,
      'command_syntax',
      (place) => `FFmpeg's options begin with one dash, not as in ${place}; ${remedy}`,
    )
  }
  const other = misspelling(flag.text)
  if (other !== null) {
    return refusalAt(flag, 'command_syntax', (place) => `FFmpeg has no option ${place}; ${other}`)
  }
  if (flag.text.includes('{{')) {
    return refusalAt(
      flag,
      'command_alias',
      (place) =>
        `A placeholder cannot be part of an option's name as in ${place}; put a blank between`,
    )
  }
  const graph = /^(-\w+)["']?\[/.exec(flag.text)?.[1]
  if (graph !== undefined) {
    return refusalAt(
      flag,
      'command_syntax',
      (place) =>
        `A blank separates an option from its value; put one behind '${graph}' in ${place}`,
    )
  }
  const equals = flag.text.indexOf('=')
  if (equals !== -1) {
    const remedy = `write '${shorten(`${flag.text.slice(0, equals)} ${flag.text.slice(equals + 1)}`)}'`
    return refusalAt(
      flag,
      'command_syntax',
      (place) => `A blank separates an option from its value, not '=' as in ${place}; ${remedy}`,
    )
  }
  const modern = modernSpelling(name)
  if (modern !== null) {
    return refusalAt(
      flag,
      'command_syntax',
      (place) => `FFmpeg 7 no longer has the option ${place}; use ${modern}`,
    )
  }
  return null
}

/** Options of other programs, and misspelled ones. */
function misspelling(flag: string): string | null {
  if (/^-(?:o|output|outfile)$/.test(flag)) {
    return 'an output stands alone, without an option in front'
  }
  if (/^-(?:input|infile)$/.test(flag)) return "write '-i'"
  if (flag.includes('\uff1a')) return `write '${shorten(flag.replaceAll('\uff1a', ':'))}'`
  const small = flag.toLowerCase()
  return small !== flag && common.has(optionName(small)) ? `write '${shorten(small)}'` : null
}

/** The frequent options of FFmpeg; their capitalised forms are not options. */
const common = new Set(
  'i y an vn sn dn ss t to c b f r s vf af map crf preset vcodec acodec codec pix_fmt filter_complex'.split(
    ' ',
  ),
)

function missingValue(flag: Reading): Refusal {
  return refusalAt(
    flag,
    'command_syntax',
    (place) => `Option ${place} needs a value, but the command ends there`,
  )
}

function swallowedInput(flag: Reading): Refusal {
  return refusalAt(
    flag,
    'command_syntax',
    (place) =>
      `Option ${place} would take '-i' for its value; check its spelling, or write its value`,
  )
}

function tooManyFiles(groups: readonly Group[]): Refusal | null {
  for (const kind of ['input', 'output'] as const) {
    const surplus = groups.filter((group) => group.kind === kind)[filesLimit]?.target
    if (surplus) {
      return refusalAt(
        plainReading(surplus),
        'command_syntax',
        (place) => `A command can have ${filesLimit} ${kind}s, ${place} is one too many`,
      )
    }
  }
  return null
}

function refusalAt(
  reading: Reading,
  type: Refusal['type'],
  sentence: Refusal['sentence'],
): Refusal {
  return { type, range: reading.token, sentence }
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
