import type { CommandError, CommandErrorType } from './plan.ts'
import { visibleText } from '../remedies/visible-text.ts'

/** Half-open range of UTF-16 offsets in the command as sent; an empty one stands for the whole. */
export type SourceRange = { from: number; to: number }

/** Why a command is not taken, and where. `sentence` gets the place in words: `'-y' at character 4`. */
export type Refusal = {
  type: CommandErrorType
  range: SourceRange
  sentence: (place: string) => string
}

const tokenLimit = 200
const quotedLimit = 60

export function toCommandError(refusal: Refusal, source: string, command: number): CommandError {
  const isPlaceless = refusal.range.from === refusal.range.to
  const characters = Array.from(source.slice(refusal.range.from, refusal.range.to))
  const position = charactersIn(source.slice(0, refusal.range.from)) + 1
  const beginning = characters.slice(0, quotedLimit).join('')
  const shown = visibleText(beginning).replace(/\s+/g, ' ')
  const place = `'${shown}${characters.length > quotedLimit ? '…' : ''}' at character ${position}`
  return {
    command,
    type: refusal.type,
    message: refusal.sentence(place),
    token: isPlaceless ? null : characters.slice(0, tokenLimit).join(''),
    position: isPlaceless ? null : position,
  }
}

/** The refusal that a reader meets first. */
export function earliest(refusals: readonly Refusal[]): Refusal | null {
  return refusals.reduce<Refusal | null>(
    (first, next) => (first === null || next.range.from < first.range.from ? next : first),
    null,
  )
}

/** Sorts refusals by the text and keeps one for each place: what was found first explains more. */
export function inOrder(refusals: readonly Refusal[]): Refusal[] {
  const byPlace = Map.groupBy(refusals, ({ range }) => range.from)
  return [...byPlace.values()]
    .flatMap(([first]) => first ?? [])
    .sort((a, b) => a.range.from - b.range.from)
}

/** Unicode characters, which is what positions count. */
export function charactersIn(text: string): number {
  return Array.from(text).length
}
