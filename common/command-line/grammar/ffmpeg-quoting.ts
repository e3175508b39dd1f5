/** A character with its index in the text, kept through several levels of unescaping. */
export type Unit = { character: string; at: number }

/** Half-open range of indices in a text. */
export type TextRange = { from: number; to: number }

const blanks = ' \n\t\r'

export function unitsOf(text: string): Unit[] {
  return Array.from({ length: text.length }, (_, at) => ({ character: text.charAt(at), at }))
}

/** `av_get_token`: reads up to an unquoted terminator, undoes one level of quoting, trims blanks. */
export function readToken(
  units: readonly Unit[],
  start: number,
  terminators: string,
): { units: Unit[]; next: number } {
  const read: Unit[] = []
  let offset = skipBlanks(units, start)
  // Blanks that were quoted or escaped are not trimmed.
  let kept = 0
  for (let unit = units[offset]; unit !== undefined; unit = units[offset]) {
    if (terminators.includes(unit.character)) break
    offset += 1
    const next = units[offset]
    if (unit.character === '\\' && next !== undefined) {
      read.push(next)
      offset += 1
      kept = read.length
    } else if (unit.character === "'") {
      let quoted = units[offset]
      while (quoted !== undefined && quoted.character !== "'") {
        read.push(quoted)
        offset += 1
        quoted = units[offset]
      }
      if (quoted !== undefined) {
        offset += 1
        kept = read.length
      }
    } else {
      read.push(unit)
    }
  }
  while (read.length > kept && blanks.includes(read.at(-1)?.character ?? '.')) read.pop()
  return { units: read, next: offset }
}

/** `get_key` of libavutil: a name with its `=`; null when what follows is a value without a name. */
export function readKey(
  units: readonly Unit[],
  start: number,
): { name: string; range: TextRange; next: number } | null {
  const from = skipBlanks(units, start)
  let to = from
  while (/^[A-Za-z0-9_./-]$/.test(units[to]?.character ?? '')) to += 1
  const equals = skipBlanks(units, to)
  if (units[equals]?.character !== '=') return null
  const written = units.slice(from, to)
  return {
    name: textOf(written),
    range: rangeOf(written, units[equals]?.at),
    next: equals + 1,
  }
}

export function skipBlanks(units: readonly Unit[], start: number): number {
  let offset = start
  while (blanks.includes(units[offset]?.character ?? '.')) offset += 1
  return offset
}

export function textOf(units: readonly Unit[]): string {
  return units.map((unit) => unit.character).join('')
}

export function rangeOf(units: readonly Unit[], otherwise = 0): TextRange {
  const first = units[0]?.at ?? otherwise
  const last = units.at(-1)?.at ?? first
  return { from: first, to: last + 1 }
}
