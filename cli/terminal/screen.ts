interface Size {
  readonly rows?: number
  readonly columns?: number
}

/** Control text that replaces the content of a terminal by these lines, as many and as long as fit. */
export function screenOf(lines: readonly string[], { rows, columns }: Size): string {
  // Some terminals report 0.
  const height = rows === undefined || rows === 0 ? 24 : rows
  const width = columns === undefined || columns === 0 ? 80 : columns
  const shown = lines.slice(0, height - 1).map((line) => Array.from(line).slice(0, width).join(''))
  return `\x1b[H${shown.map((line) => `${line}\x1b[K\n`).join('')}\x1b[J`
}
