/** The token at fault, and the character where it begins, from 1. */
interface Place {
  readonly token: string | null
  readonly position: number | null
}

const width = 78

/**
 * The command with a mark under the token at fault; of a long one, the part around it.
 * @returns two lines; none where the place is not known
 */
export function markedCommand(command: string, place: Place | undefined): string[] {
  const position = place?.position ?? null
  if (position === null) return []
  // The service counts characters, which may be two units of UTF-16.
  const characters = Array.from(command.replaceAll(/\s/g, ' '))
  const from = Math.min(position - 1, characters.length)
  const length = lengthOf(characters, from, place?.token ?? null)
  const start = from + length <= width ? 0 : Math.max(0, from - 20)
  const end = Math.min(characters.length, start + width)
  const shown = characters.slice(start, end)
  const front = start > 0 ? '…' : ''
  const line = `${front}${shown.join('')}${end < characters.length ? '…' : ''}`
  const marks = '^'.repeat(Math.max(1, Math.min(length, end - from)))
  return [line, `${' '.repeat(front.length + from - start)}${marks}`]
}

function lengthOf(characters: readonly string[], from: number, token: string | null): number {
  if (token !== null) {
    const wanted = Array.from(token)
    if (wanted.every((one, offset) => characters[from + offset] === one)) return wanted.length
  }
  const end = characters.findIndex((one, index) => index > from && one === ' ')
  return (end === -1 ? characters.length : end) - from
}
