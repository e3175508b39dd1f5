import { ansiEscape } from './ansi-quoting.ts'
import { placeholderAt, placeholderText } from '../model/placeholders.ts'
import { charactersIn, type Refusal } from '../model/refusal.ts'

/**
 * A smallest part of a token with its text in both readings. A quote mark is empty in the plain
 * reading; a backslash that escapes is empty there too, but stays in the filter reading.
 */
export type Piece = { plain: string; filter: string; from: number; to: number }

export type Token = {
  pieces: readonly Piece[]
  from: number
  to: number
  /** True when the text begins with `'` or `"`: then only the plain reading counts. */
  beginsQuoted: boolean
}

export type Splitting = { ok: true; tokens: Token[] } | { ok: false; refusal: Refusal }

/** The kernel takes single arguments up to 131,071 bytes; far fewer are ever useful. */
export const commandBytesLimit = 65_536
export const tokensLimit = 4_096

/**
 * Splits a command line as a POSIX shell does, and `$'…'` as bash, without being one: no variables,
 * globs, comments or operators. Placeholders are taken whole wherever they stand, so blanks inside
 * do not split.
 */
export function splitCommand(source: string): Splitting {
  const unfit = unfitCharacter(source) ?? oversize(source)
  if (unfit !== null) return { ok: false, refusal: unfit }
  const tokens: Token[] = []
  let offset = invisibleStart.exec(source)?.[0].length ?? 0
  while (offset < source.length) {
    // Blanks after the backslash are invisible, and in a shell they end the command there. If the
    // lines were joined into one, backslashes are left over in front of options and placeholders.
    // bash runs a comment in backticks without any output.
    const gap = /(?:[ \t\r\n]|\\[ \t]*\r?\n|\\[ \t]+(?=-|\{\{|$)|`#[^`]*`)*/y
    gap.lastIndex = offset
    gap.exec(source)
    offset = gap.lastIndex
    if (offset >= source.length) break
    const read = readToken(source, offset)
    if ('type' in read) return { ok: false, refusal: read }
    tokens.push(read)
    offset = read.to
    if (tokens.length > tokensLimit) return { ok: false, refusal: tooManyTokens(read) }
  }
  return { ok: true, tokens }
}

/** Invisible characters of a page or a file that the command was copied from. */
const invisibleStart = /^[\s\u200b\u2060]+/

function readToken(source: string, start: number): Token | Refusal {
  const pieces: Piece[] = []
  let offset = start
  while (offset < source.length && !isBlank(source.charAt(offset))) {
    const step = readStep(source, offset)
    if ('type' in step) return step
    for (const piece of step.pieces) pieces.push(piece)
    offset = step.end
  }
  const beginsQuoted = /^\$?['"]/.test(source.slice(start, start + 2))
  return { pieces, from: start, to: offset, beginsQuoted }
}

type Step = { pieces: Piece[]; end: number }

function readStep(source: string, offset: number): Step | Refusal {
  const placeholder = placeholderPiece(source, offset)
  if (placeholder !== null) return placeholder
  if (source.startsWith("$'", offset)) return ansiQuoted(source, offset)
  if (source.startsWith('$"', offset)) return translated(source, offset)
  switch (source.charAt(offset)) {
    case "'":
      return singleQuoted(source, offset)
    case '"':
      return doubleQuoted(source, offset)
    case '\\':
      return escaped(source, offset)
    default:
      return literal(source, offset)
  }
}

function placeholderPiece(source: string, offset: number): Step | null {
  const found = placeholderAt(source, offset)
  if (found === null) return null
  const text = placeholderText(found.alias)
  const piece = { plain: text, filter: text, from: offset, to: found.end }
  return { pieces: [piece], end: found.end }
}

function literal(source: string, offset: number): Step {
  const character = String.fromCodePoint(source.codePointAt(offset) ?? 0)
  const end = offset + character.length
  return {
    pieces: [{ plain: character, filter: character, from: offset, to: end }],
    end,
  }
}

function escaped(source: string, offset: number): Step | Refusal {
  const continuation = /\\\r?\n/y
  continuation.lastIndex = offset
  if (continuation.test(source)) {
    return { pieces: [], end: continuation.lastIndex }
  }
  if (offset + 1 >= source.length) return syntax(offset, source.length, trailingBackslash)
  const next = String.fromCodePoint(source.codePointAt(offset + 1) ?? 0)
  const end = offset + 1 + next.length
  // FFmpeg never sees a blank that splits, so an escaped one needs no backslash there either.
  const filter = isBlank(next) ? next : `\\${next}`
  return { pieces: [{ plain: next, filter, from: offset, to: end }], end }
}

function singleQuoted(source: string, open: number): Step | Refusal {
  return quoted(source, open, "'", literal)
}

function doubleQuoted(source: string, open: number): Step | Refusal {
  return quoted(source, open, '', (text, offset) => {
    const escape = /\\(?:\r?\n|["\\$`])/y
    escape.lastIndex = offset
    const match = escape.exec(text)?.[0]
    if (match === undefined) return literal(text, offset)
    const kept = match.endsWith('\n') ? '' : match.slice(1)
    const end = offset + match.length
    return { pieces: [{ plain: kept, filter: kept, from: offset, to: end }], end }
  })
}

/** bash would search for a translation, and finds none. */
function translated(source: string, dollar: number): Step | Refusal {
  const inner = doubleQuoted(source, dollar + 1)
  if ('type' in inner) return inner
  return {
    ...inner,
    pieces: [{ plain: '', filter: '', from: dollar, to: dollar + 1 }, ...inner.pieces],
  }
}

/** `$'…'` of bash, not of POSIX: the only way to write a line break within a line. */
function ansiQuoted(source: string, dollar: number): Step | Refusal {
  const piece = { plain: '', filter: '', from: dollar, to: dollar + 1 }
  const inner = quoted(source, dollar + 1, '', (text, offset) => {
    if (text.charAt(offset) !== '\\') return literal(text, offset)
    const escape = ansiEscape(text, offset)
    if (escape === null) return syntax(offset, offset + 2, unknownEscape)
    const { text: kept, end } = escape
    return { pieces: [{ plain: kept, filter: kept, from: offset, to: end }], end }
  })
  return 'type' in inner ? inner : { ...inner, pieces: [piece, ...inner.pieces] }
}

/** `mark` is what the filter reading shows for the quote character. */
function quoted(
  source: string,
  open: number,
  mark: string,
  next: (source: string, offset: number) => Step | Refusal,
): Step | Refusal {
  const quote = source.charAt(open)
  const pieces: Piece[] = [{ plain: '', filter: mark, from: open, to: open + 1 }]
  let offset = open + 1
  while (source.charAt(offset) !== quote) {
    if (offset >= source.length) return syntax(open, open + 1, unbalanced(source.slice(open)))
    const step = placeholderPiece(source, offset) ?? next(source, offset)
    if ('type' in step) return step
    for (const piece of step.pieces) pieces.push(piece)
    offset = step.end
  }
  pieces.push({ plain: '', filter: mark, from: offset, to: offset + 1 })
  return { pieces, end: offset + 1 }
}

function unfitCharacter(source: string): Refusal | null {
  // eslint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
  const found = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\p{Surrogate}/u.exec(source)
  if (found === null) return null
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return {
    type: 'command_syntax',
    range: { from: found.index, to: found.index + found[0].length },
    sentence: () =>
      `Character U+${code} at character ${charactersIn(source.slice(0, found.index)) + 1} is not allowed; remove it`,
  }
}

function oversize(source: string): Refusal | null {
  if (new TextEncoder().encode(source).length <= commandBytesLimit) return null
  return syntax(
    0,
    0,
    () => `The command is longer than ${commandBytesLimit} bytes; split it into a chain`,
  )
}

function tooManyTokens(token: Token): Refusal {
  return syntax(
    token.from,
    token.to,
    (place) => `The command has more than ${tokensLimit} words, ${place} is one too many`,
  )
}

function syntax(from: number, to: number, sentence: Refusal['sentence']): Refusal {
  return { type: 'command_syntax', range: { from, to }, sentence }
}

function unbalanced(rest: string): Refusal['sentence'] {
  const other = /[\u201c-\u201f\u2018-\u201b]/.exec(rest)?.[0]
  return (place) =>
    other === undefined
      ? `The quote ${place} is never closed; close it, or write \\ in front of it`
      : `The quote ${place} is never closed; ${other} is typographic, type a plain one`
}

function unknownEscape(place: string): string {
  return `${place} is not an escape of $'…' that can stand here; write the character itself`
}

function trailingBackslash(place: string): string {
  return `The backslash ${place} has nothing behind it; remove it`
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\r' || character === '\n'
}
