/** A place in the text of a command; both count characters from 0. */
export interface Mark {
  readonly from: number
  readonly to: number
}

/**
 * The place that an error message names: by "at character N", which counts from 1, or by a quoted
 * text that the command has exactly once.
 */
export function markIn(command: string, message: string): Mark | null {
  const characters = Array.from(command)
  const named = /at character (\d+)/.exec(message)?.[1]
  if (named !== undefined) {
    const from = Number(named) - 1
    return from >= 0 && from < characters.length ? { from, to: endOfToken(characters, from) } : null
  }
  for (const [, quoted = ''] of message.matchAll(/['"]([^'"\n]+)['"]/g)) {
    const mark = onlyPlace(characters, Array.from(quoted))
    if (mark !== null) return mark
  }
  return null
}

function endOfToken(characters: readonly string[], from: number): number {
  const end = characters.findIndex((one, index) => index > from && /\s/.test(one))
  return end === -1 ? characters.length : end
}

/** Not within a longer word: `scal` is not a part of `scale`. */
function onlyPlace(characters: readonly string[], wanted: readonly string[]): Mark | null {
  const places = characters.flatMap((_, from) => {
    const isHere = wanted.every((one, offset) => characters[from + offset] === one)
    const isWord =
      !isWordLetter(characters[from - 1]) && !isWordLetter(characters[from + wanted.length])
    return isHere && isWord ? [from] : []
  })
  const [from] = places
  return from === undefined || places.length > 1 ? null : { from, to: from + wanted.length }
}

function isWordLetter(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9_]/.test(character)
}
