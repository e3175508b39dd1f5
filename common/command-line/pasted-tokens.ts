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

function withoutFileProtocol(token: Token): Token {
  const { pieces } = token
  if (pieces[0]?.plain !== 'f' || pieces[protocol.length]?.plain.startsWith('{{') !== true) {
    return token
  }
  const begins = pieces.slice(0, protocol.length).map(({ plain }) => plain)
  if (begins.join('') !== protocol) return token
  return {
    ...token,
    pieces: pieces.slice(protocol.length),
    from: pieces[protocol.length]?.from ?? token.from,
  }
}
