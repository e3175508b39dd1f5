import { used, type Finding } from '../model/findings.ts'
import { findPlaceholders } from '../model/placeholders.ts'
import { originOf, type Reading } from '../read/reading.ts'
import type { SourceRange } from '../model/refusal.ts'

/** Adds a reference for every placeholder that has no finding yet. */
export function withUnparsedPlaceholders(
  reading: Reading,
  findings: readonly Finding[],
): Finding[] {
  // An unparsable argument does not show the role of a placeholder (read or written): add no
  // reference.
  if (findings.some(isSyntax)) return [...findings]
  const isKnown = within(findings.flatMap(rangeOf))
  const references = findPlaceholders(reading.text).flatMap(({ alias, from, to }) => {
    const origin = originOf(reading, from, to)
    return isKnown(origin) ? [] : [used(alias, 'reference', origin)]
  })
  return [...findings, ...references]
}

function rangeOf(finding: Finding): SourceRange[] {
  if (finding.kind === 'use') return [finding.range]
  return finding.kind === 'refusal' ? [finding.refusal.range] : []
}

/**
 * Whether one of the ranges holds another. Called for each of thousands of placeholders, so it
 * checks one range: the one that ends last among those that begin no later.
 */
function within(ranges: readonly SourceRange[]): (inner: SourceRange) => boolean {
  const sorted = ranges.toSorted((a, b) => a.from - b.from)
  let furthest = -1
  const reach = sorted.map(({ to }) => (furthest = Math.max(furthest, to)))
  return ({ from, to }) => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle]?.from ?? 0) <= from) low = middle + 1
      else high = middle
    }
    return low > 0 && (reach[low - 1] ?? -1) >= to
  }
}

function isSyntax(finding: Finding): boolean {
  return finding.kind === 'refusal' && finding.refusal.type === 'command_syntax'
}
