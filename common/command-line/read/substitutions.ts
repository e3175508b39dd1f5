import type { SourceRange } from '../model/refusal.ts'

/**
 * Position of an expansion that bash would replace by the output of a program or by a sum, `$(…)`
 * or backticks, outside apostrophes: it would reach FFmpeg unchanged. A single backtick within a
 * token is a character.
 */
export function substitutionIn(source: string, { from, to }: SourceRange): SourceRange | null {
  const text = source.slice(from, to)
  let isQuoted = false
  for (let offset = 0; offset < text.length; offset += 1) {
    const character = text.charAt(offset)
    const isPair = character === '`' && (offset === 0 || text.includes('`', offset + 1))
    if (isPair || text.startsWith('$(', offset)) return { from: from + offset, to }
    if (character === '\\') offset += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (character === "'" && !isQuoted) offset = behindQuotes(text, offset)
  }
  return null
}

/** Handles `$'…'` too, where a backslash may stand in front of an apostrophe. */
function behindQuotes(text: string, open: number): number {
  const quotes = text.charAt(open - 1) === '$' ? /'(?:[^'\\]|\\.)*'/sy : /'[^']*'/y
  quotes.lastIndex = open
  return quotes.test(text) ? quotes.lastIndex - 1 : text.length
}
