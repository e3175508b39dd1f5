import { findPlaceholders } from './placeholders.ts'
import type { PlannedText } from './plan.ts'

/** Text to put in front of what stands at an index. */
export type Insertion = { at: number; text: string }

/**
 * Puts the paths of outputs in and leaves a mark where an input's path will go. Paths consist of
 * `[A-Za-z0-9._/-]` only, so they need no quoting at any level, and it happens after splitting, so
 * they can make no new argument.
 * @param pathOf path of an output, which is known from the start, or null for an input
 */
export function plannedText(
  text: string,
  insertions: readonly Insertion[],
  pathOf: (alias: string) => string | null,
): PlannedText {
  const edits = [
    ...insertions.map(({ at, text: inserted }) => ({ from: at, to: at, part: inserted })),
    ...findPlaceholders(text).map(({ alias, from, to }) => ({
      from,
      to,
      part: pathOf(alias) ?? { input: alias },
    })),
  ].sort((a, b) => a.from - b.from || a.to - b.to)
  const parts: (string | { input: string })[] = []
  let offset = 0
  for (const edit of edits) {
    if (edit.from > offset) parts.push(text.slice(offset, edit.from))
    parts.push(edit.part)
    offset = edit.to
  }
  if (offset < text.length || parts.length === 0) parts.push(text.slice(offset))
  return parts
}

export function filledText(
  text: PlannedText,
  inputPaths: Readonly<Record<string, string>>,
): string {
  return text
    .map((part) => {
      if (typeof part === 'string') return part
      const path = inputPaths[part.input]
      if (path === undefined) throw new Error(`No path is known for the input '${part.input}'`)
      return path
    })
    .join('')
}
