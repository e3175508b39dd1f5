import { escapedMistake } from '../remedies/escaped-text.ts'
import { mistakeAtStart } from './mistakes-at-start.ts'
import type { Refusal } from '../model/refusal.ts'
import { inklessMistakeIn } from '../remedies/visible-text.ts'
import { operatorBehindPlaceholder, operatorMistake } from './shell-operators.ts'
import { substitutionIn } from './substitutions.ts'
import type { Token } from './tokens.ts'

const typographic = /^[\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb]/
/** Quotes that no shell knows, of a word processor or of HTML, around a value that has blanks. */
const foreignOpening =
  /[=:,](?:[\u201c\u201e\u2018\u201a\u00ab]|&(?:quot|apos|[lr][sd]quo|#34|#39|#x22|#x27);)/i
const foreignClosing =
  /[\u201d\u201f\u2019\u201b\u00bb]|&(?:quot|apos|[lr][sd]quo|#34|#39|#x22|#x27);/i
const longDash = /^[\u2010-\u2015\u2212]/
const annotation = /^\\[ \t]+#/
const ellipsis = /^(?:\.{3}|\u2026|\[\w*options?\])$/i
const foreignContinuation = /^[`^][ \t]*\r?\n/
/** `\"[v]\"`, as a text in JSON is written: decoded twice or never. */
const escapedQuote = /^\\["'](?=[\w[{(./-])/
const escapedBreak = /^\\[nrt](?:\\[nrt])*(?=$|-|ffmpeg|\{\{)|\}\}\\[nrt]/
/** Expressions of n8n and of Make: `{{ $json.duration }}`, `{{1.title}}`. */
const expression = /\{\{ *(?:\$[\w(]|\d+\.\w)/

export type ShellMistakes = {
  refusals: readonly Refusal[]
  /** Words in front of the first mistake where that is an operator, which ends the command; null behind another one. */
  before: readonly Token[] | null
}

/**
 * Texts that people paste from a terminal or a word processor and that FFmpeg can only misread: the first one, and all
 * operators behind it, since other texts may follow from the first one.
 */
export function shellMistakes(tokens: readonly Token[], source: string): ShellMistakes {
  const words = tokens.map((token) => written(token, source))
  const first = firstMistake(tokens, words, source)
  if (first === null) return { refusals: [], before: tokens }
  const { index, refusal } = first
  if (index === 0) return { refusals: [refusal], before: null }
  const operators = tokens.flatMap((token, at): Refusal[] => {
    const sentence = at > index ? operatorIn(token, words[at] ?? '', words[at + 1] ?? null) : null
    return sentence === null ? [] : [{ type: 'command_syntax', range: token, sentence }]
  })
  const [token] = tokens.slice(index)
  const isOperator =
    token !== undefined && operatorIn(token, words[index] ?? '', words[index + 1] ?? null) !== null
  return { refusals: [refusal, ...operators], before: isOperator ? tokens.slice(0, index) : null }
}

function firstMistake(
  tokens: readonly Token[],
  words: readonly string[],
  source: string,
): { index: number; refusal: Refusal } | null {
  const lastClosing = words.findLastIndex((word) => foreignClosing.test(word))
  for (const [index, token] of tokens.entries()) {
    const rest = source.slice(token.from)
    const sentence =
      escapedMistake(words[index] ?? '') ??
      (index === 0 ? mistakeAtStart(words) : null) ??
      (foreignContinuation.test(rest) ? continuedAbroad : null) ??
      (annotation.test(rest) ? annotated : null) ??
      (isForeignlyQuoted(words[index] ?? '', index < lastClosing) ? foreignlyQuoted : null) ??
      mistakeIn(token, words[index] ?? '', words[index + 1] ?? null)
    if (sentence !== null) {
      return { index, refusal: { type: 'command_syntax', range: token, sentence } }
    }
    const range = substitutionIn(source, token)
    if (range !== null) {
      return { index, refusal: { type: 'command_syntax', range, sentence: leftToTheShell } }
    }
  }
  return null
}

/** Text as sent, except that a line continuation within a token or right after it is not shown. */
export function written({ from, to }: Token, source: string): string {
  return source.slice(from, to).replace(/\\\r?\n/g, '')
}

function mistakeIn(token: Token, text: string, next: string | null): Refusal['sentence'] | null {
  if (typographic.test(text)) {
    return (place) => `${place} begins with a typographic quote; replace it by ' or "`
  }
  const inkless = inklessMistakeIn(text)
  if (inkless !== null) {
    return (place) =>
      `${place} holds the character ${inkless}, which cannot be seen and separates no words; remove it or type a plain blank`
  }
  if (ellipsis.test(text)) {
    return (place) => `${place} is left over from an example; write what belongs there`
  }
  if (longDash.test(text)) {
    return (place) => `${place} begins with a long dash; options begin with the plain dash '-'`
  }
  if (escapedQuote.test(text)) {
    return (place) =>
      `${place} begins with a quote that is escaped as in JSON; remove its backslash, and that of the closing one`
  }
  if (escapedBreak.test(text)) {
    return (place) => `${place} holds a line break as JSON writes it; type a blank instead`
  }
  if (expression.test(text) || text === '{{') {
    return (place) =>
      `${place} is an expression that was not filled in; let your workflow put its value there`
  }
  return operatorIn(token, text, next)
}

function operatorIn(token: Token, text: string, next: string | null): Refusal['sentence'] | null {
  const isPlaceholder = token.pieces.length > 0 && token.pieces[0]?.plain.startsWith('{{') === true
  if (!isPlaceholder) return operatorMistake(text, next)
  const operator = operatorBehindPlaceholder(text)
  return operator === null ? null : operatorMistake(operator, next)
}

/** True where a value is opened by such a quote, and closed in another word. */
function isForeignlyQuoted(word: string, isClosedLater: boolean): boolean {
  const opening = isClosedLater && !/['"]/.test(word) ? foreignOpening.exec(word) : null
  return opening !== null && !foreignClosing.test(word.slice(opening.index + opening[0].length))
}

function foreignlyQuoted(place: string): string {
  return `${place} opens a quote that is typographic or escaped for HTML, and the value ends at the next blank; type ' or "`
}

function leftToTheShell(place: string): string {
  return `${place} would run another program in a shell, which there is none of; write its result in its place, or apostrophes around it if it is meant so`
}

function annotated(place: string): string {
  return `${place} is followed by a comment, of which a command has none; remove it to the line's end`
}

function continuedAbroad(place: string): string {
  return `${place} continues a line in a terminal of Windows; write a backslash there, or all in one line`
}
