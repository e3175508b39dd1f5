import type { Token } from './tokens.ts'

/**
 * Words without what a shell or FFmpeg takes from them and that changes nothing: the semicolon that
 * ends a line of a script, and `file:` in front of a placeholder, which only guards names with a
 * colon in them.
 */
export function pastedTokens(tokens: readonly Token[]): Token[] {
  return withoutSemicolon(tokens).map(withoutFileProtocol)
}

function withoutSemicolon(tokens: readonly Token[]): readonly Token[] {
  const token = tokens.at(-1)
  const last = token?.pieces.at(-1)
  // One that is quoted has its quote behind it, one that is escaped is two characters long.
  if (token === undefined || last?.plain !== ';' || last.to - last.from !== 1) return tokens
  const pieces = token.pieces.slice(0, -1)
  const before = tokens.slice(0, -1)
  return pieces.length === 0 ? before : [...before, { ...token, pieces, to: last.from }]
}

const protocol = 'file:'

/** Quotes are pieces without text, in front of it, behind it or around both. */
function withoutFileProtocol(token: Token): Token {
  const written = token.pieces.filter(({ plain }) => plain !== '')
  const begins = written.slice(0, protocol.length)
  const file = written[protocol.length]
  if (file?.plain.startsWith('{{') !== true) return token
  if (begins.map(({ plain }) => plain).join('') !== protocol) return token
  return { ...token, pieces: token.pieces.filter((piece) => !begins.includes(piece)) }
}
