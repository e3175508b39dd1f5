import { isProgramName } from './mistakes-at-start.ts'
import type { Refusal } from '../model/refusal.ts'

const operator = /^(?:\|\|?|\|&|&&?|;;?|(?:\d*|&)(?:>[>&|]?|<).*)$/s
const blank = /^<[^<>()&=]+>$/
const list = /^(?:<\(|<<)/

/**
 * Effect that a shell gives to a token that is not FFmpeg's, and what to write instead.
 * @param next the word behind it, as sent
 */
export function operatorMistake(text: string, next: string | null): Refusal['sentence'] | null {
  if (!operator.test(text)) return null
  if (blank.test(text)) {
    return (place) => `${place} is left over from an example; write what belongs there`
  }
  return (place) => `Shell operators are not supported: ${place}; ${adviceFor(text, next)}`
}

/**
 * The operator stuck to the end of an output, with the blank forgotten.
 * @param text as sent
 */
export function operatorBehindPlaceholder(text: string): string | null {
  return /^["']?\{\{[^{}]*\}\}["']?(;|&&?|\|\|?)/.exec(text)?.[1] ?? null
}

function adviceFor(text: string, next: string | null): string {
  if (list.test(text)) {
    return 'send a list as an input file, or join the files by the concat filter'
  }
  if (/[<>]/.test(text)) {
    if (next?.startsWith('|') === true) return `remove it and what follows; ${noPrograms}`
    const isAlone = /[<>]&?\d/.test(text)
    return `remove it${isAlone ? '' : ' and its file'}; what FFmpeg prints is in the logs, and 2> {{out_1}} at the end of the command stores it`
  }
  if (next !== null && isProgramName(next)) return 'send a chain of commands'
  if (text.startsWith(';') && next !== null && /[[=]/.test(next)) {
    return 'quote the filter graph that it belongs to'
  }
  return `remove it and what follows; ${noPrograms}`
}

const noPrograms =
  'no other program can be run, the logs are kept, and 2> {{out_1}} at the end of the command stores them'
