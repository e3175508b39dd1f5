import type { Refusal } from '../model/refusal.ts'
import { plainReading, type Reading } from '../read/reading.ts'
import type { Token } from '../read/tokens.ts'
import type { OptionEntry } from './option-table.ts'

/**
 * Why FFmpeg or the service would not take an option as it is written.
 * @param value the word behind it if it takes one; null if the command ends there
 */
export function flagMistake(
  flag: Reading,
  { takesValue, refusal, modern }: OptionEntry,
  value: Token | null,
): Refusal | null {
  const { text } = flag
  if (refusal !== null) {
    return refusalAt(flag, 'command_forbidden', (place) => `Option ${place} ${refusal}`)
  }
  if (text.startsWith('--')) return doubleDash(flag)
  const other = misspelling(text)
  if (other !== null) {
    return refusalAt(flag, 'command_syntax', (place) => `FFmpeg has no option ${place}; ${other}`)
  }
  if (text.includes('{{')) {
    return refusalAt(
      flag,
      'command_alias',
      (place) =>
        `A placeholder cannot be part of an option's name as in ${place}; put a blank between`,
    )
  }
  const sentence =
    stuckValue(text) ?? replacement(modern) ?? (takesValue ? valueMistake(value) : null)
  return sentence === null ? null : refusalAt(flag, 'command_syntax', sentence)
}

export function doubleDash(flag: Reading): Refusal {
  const single = flag.text.replace(/^-+/, '-')
  const remedy =
    flag.text === '--' ? 'remove it' : (misspelling(single) ?? `write '${shorten(single)}'`)
  return refusalAt(
    flag,
    'command_syntax',
    (place) => `FFmpeg's options begin with one dash, not as in ${place}; ${remedy}`,
  )
}

/** Options of other programs, and misspelled ones. */
function misspelling(flag: string): string | null {
  if (/^-(?:o|output|outfile)$/.test(flag)) {
    return 'an output stands alone, without an option in front'
  }
  if (/^-(?:input|infile)$/.test(flag)) return "write '-i'"
  if (flag.includes('\uff1a')) return `write '${shorten(flag.replaceAll('\uff1a', ':'))}'`
  const small = flag.toLowerCase()
  return small !== flag && common.test(small) ? `write '${shorten(small)}'` : null
}

/** The frequent options of FFmpeg; their capitalised forms are not options. */
const common =
  /^-(?:i|y|an|vn|sn|dn|ss|t|to|c|b|f|r|s|vf|af|map|crf|preset|vcodec|acodec|codec|pix_fmt|filter_complex)(?::|$)/

function stuckValue(text: string): Refusal['sentence'] | null {
  const graph = /^(-\w+)["']?\[/.exec(text)?.[1]
  if (graph !== undefined) {
    return (place) =>
      `A blank separates an option from its value; put one behind '${graph}' in ${place}`
  }
  if (!text.includes('=')) return null
  const remedy = `write '${shorten(text.replace('=', ' '))}'`
  return (place) => `A blank separates an option from its value, not '=' as in ${place}; ${remedy}`
}

function replacement(modern: string | null): Refusal['sentence'] | null {
  return modern === null
    ? null
    : (place) => `FFmpeg 7 no longer has the option ${place}; use ${modern}`
}

function valueMistake(value: Token | null): Refusal['sentence'] | null {
  if (value === null) {
    return (place) => `Option ${place} needs a value, but the command ends there`
  }
  if (plainReading(value).text !== '-i') return null
  return (place) =>
    `Option ${place} would take '-i' for its value; check its spelling, or write its value`
}

function refusalAt(flag: Reading, type: Refusal['type'], sentence: Refusal['sentence']): Refusal {
  return { type, range: flag.token, sentence }
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
