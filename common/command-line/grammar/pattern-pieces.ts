/**
 * A path with an `x` for each piece that a muxer, strftime(3) or glob(3) puts something else in place
 * of: `%v`, `$Number%05d$`, `[a-z]`, `?`.
 */
export function withoutPatterns(path: string): string {
  const pieces = /%[-+ 0#^_]*(?:[1-9]\d*)?[A-Za-z%*?[\]{}]|\$\w*(?:%0?\d*d)?\$|[*?[\]{}!^]/g
  const lastClose = path.lastIndexOf(']')
  let text = ''
  let from = 0
  for (let piece = pieces.exec(path); piece !== null; piece = pieces.exec(path)) {
    text += `${path.slice(from, piece.index)}x`
    // An expression cannot begin after the last `]`. A regular expression would search for each end
    // again, within each match: 64 KB of `[:` would keep it busy for hours.
    const isExpression = piece[0] === '[' && piece.index < lastClose
    if (isExpression) pieces.lastIndex = bracketEnd(path, piece.index) + 1
    from = pieces.lastIndex
  }
  return text + path.slice(from)
}

/** Offset of the `]` of an expression that has one: `[a-z]`, `[]x]`, `[![:alpha:]_]`. */
function bracketEnd(path: string, open: number): number {
  const first = '!^'.includes(path.charAt(open + 1)) ? open + 2 : open + 1
  let close = path.indexOf(']', first)
  // At the first place it is a character, if another one follows.
  let from = close === first ? first + 1 : first
  for (;;) {
    const next = path.indexOf(']', from)
    if (next === -1) return close
    close = next
    const isOfClass = /\[[:.=]/.test(path.slice(from, close))
    if (!isOfClass) return close
    from = close + 1
  }
}
