import { readFileSync } from 'node:fs'

// Test support: lists of cases as text. Lines that begin with `#` are comments.

/** Lines of a list. */
export function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** Pairs of a line and the indented line after it, which says what is expected. */
export function pairsOf(file: string): { readonly given: string; readonly expected: string }[] {
  const lines = linesOf(file)
  if (lines.some((line, index) => line.startsWith('  ') !== (index % 2 === 1))) {
    throw new Error(`${file}: every second line must be indented`)
  }
  return Array.from({ length: lines.length / 2 }, (_, index) => ({
    given: lines[2 * index] ?? '',
    expected: (lines[2 * index + 1] ?? '').trim(),
  }))
}
