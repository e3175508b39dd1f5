import { withoutRedirections, type Redirected } from './redirections.ts'
import type { Token } from './tokens.ts'

/**
 * Words without what a shell or FFmpeg takes from them and that changes nothing: the semicolon that ends a line of a
 * script, and `file:` or `./` in front of a placeholder, which only guard names with a colon or a dash in them. What
 * sends FFmpeg's messages or its output elsewhere is read by itself.
 */
export function pastedTokens(tokens: readonly Token[], source: string): Redirected {
  const { log, refusal, ...words } = withoutRedirections(withoutSemicolon(tokens), source)
  const plain = (token: Token): Token => withoutDots(withoutPrefix(token))
  return { tokens: words.tokens.map(plain), log: log && { ...log, file: plain(log.file) }, refusal }
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

const needless = ['file:', './']

/** Quotes are pieces without text, in front of it, behind it or around both. */
function withoutPrefix(token: Token): Token {
  const written = token.pieces.filter(({ plain }) => plain !== '')
  for (const prefix of needless) {
    const begins = written.slice(0, prefix.length)
    if (written[prefix.length]?.plain.startsWith('{{') !== true) continue
    if (begins.map(({ plain }) => plain).join('') !== prefix) continue
    return { ...token, pieces: token.pieces.filter((piece) => !begins.includes(piece)) }
  }
  return token
}

/**
 * The text that precedes a file's name within a token: `subtitles=`, `concat:`, `|`, tee's `]`,
 * FFmpeg's own quote.
 */
const beforeName = /^[=:|\]'\s]$/

/** `subtitles=./{{in_2}}`, `concat:./{{in_1}}|./{{in_2}}`: the same within a token. */
function withoutDots(token: Token): Token {
  const written = token.pieces.filter(({ plain }) => plain !== '')
  const needless = written.flatMap(({ plain }, index) => {
    const [before, dot, slash] = written.slice(Math.max(0, index - 3), index)
    const isGuarded = plain.startsWith('{{') && dot?.plain === '.' && slash?.plain === '/'
    return isGuarded && beforeName.test(before?.plain ?? '') ? [dot, slash] : []
  })
  if (needless.length === 0) return token
  return { ...token, pieces: token.pieces.filter((piece) => !needless.includes(piece)) }
}
