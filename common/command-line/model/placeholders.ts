/** A placeholder in the canonical form that splitting leaves behind: `{{in_1}}`. */
const canonical = /\{\{([A-Za-z0-9_]+)\}\}/g
const wholly = /^\{\{([A-Za-z0-9_]+)\}\}$/

/** Every spelling that clients send: blanks inside, a backslash before any bracket, angle brackets. */
const braces = /\\?\{\\?\{ *([A-Za-z0-9_]+) *\\?\}\\?\}/y
const angles = /<< *((?:in|out)_[A-Za-z0-9_]+) *>>/y

/** The placeholder that begins exactly at `offset`, with the offset behind it. */
export function placeholderAt(
  source: string,
  offset: number,
): { alias: string; end: number } | null {
  for (const spelling of [braces, angles]) {
    spelling.lastIndex = offset
    const alias = spelling.exec(source)?.[1]
    if (alias !== undefined) return { alias, end: spelling.lastIndex }
  }
  return null
}

export function placeholderText(alias: string): string {
  return `{{${alias}}}`
}

/** The alias when the text is one placeholder and nothing else. */
export function wholePlaceholder(text: string): string | null {
  return wholly.exec(text)?.[1] ?? null
}

export type FoundPlaceholder = { alias: string; from: number; to: number }

/** Placeholders in any spelling, wherever they stand in the source. */
export function mentionedPlaceholders(source: string): FoundPlaceholder[] {
  const found: FoundPlaceholder[] = []
  for (const { index } of source.matchAll(/[\\{<]/g)) {
    // A backslash in front of a bracket is part of the placeholder that begins with it.
    if (index < (found.at(-1)?.to ?? 0)) continue
    const placeholder = placeholderAt(source, index)
    if (placeholder !== null) {
      found.push({ alias: placeholder.alias, from: index, to: placeholder.end })
    }
  }
  return found
}

export function findPlaceholders(text: string): FoundPlaceholder[] {
  return Array.from(text.matchAll(canonical), (match) => ({
    alias: match[1] ?? '',
    from: match.index,
    to: match.index + match[0].length,
  }))
}
