import type { SourceRange } from '../model/refusal.ts'
import type { Token } from './tokens.ts'

/** One reading of a token: its text, and the source position of each of its UTF-16 units. */
export type Reading = {
  text: string
  origins: readonly SourceRange[]
  token: SourceRange
}

/** Reads as a POSIX shell does. */
export function plainReading(token: Token): Reading {
  return readingOf(token, 'plain')
}

/** With single quotes and backslashes left in place, for FFmpeg's own quoting in filter graphs. */
export function filterReading(token: Token): Reading {
  return readingOf(token, 'filter')
}

/** Source range of a part of the text; an empty part has the position of the token. */
export function originOf(reading: Reading, from: number, to: number): SourceRange {
  const first = reading.origins[from]
  const last = reading.origins[to - 1]
  if (first === undefined || last === undefined || to <= from) return reading.token
  return { from: first.from, to: last.to }
}

function readingOf(token: Token, which: 'plain' | 'filter'): Reading {
  let origins: readonly SourceRange[] | undefined
  return {
    text: token.pieces.map((piece) => piece[which]).join(''),
    // Only refusals need it, and one range per character is the slowest part of a submission.
    get origins() {
      origins ??= token.pieces.flatMap((piece) =>
        Array.from({ length: piece[which].length }, () => ({ from: piece.from, to: piece.to })),
      )
      return origins
    },
    token: { from: token.from, to: token.to },
  }
}
