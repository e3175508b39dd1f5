import { used, type Finding } from './findings.ts'
import { findPlaceholders } from './placeholders.ts'
import { originOf, type Reading } from './reading.ts'

/** Adds a reference for every placeholder that no finding speaks of yet. */
export function withReferences(reading: Reading, findings: readonly Finding[]): Finding[] {
  // Of what could not be read, nobody knows which placeholder is written and which is read.
  if (findings.some(isSyntax)) return [...findings]
  const ranges = findings.flatMap((finding) =>
    finding.kind === 'use'
      ? [finding.range]
      : finding.kind === 'refusal'
        ? [finding.refusal.range]
        : [],
  )
  const references = findPlaceholders(reading.text).flatMap(({ alias, from, to }) => {
    const origin = originOf(reading, from, to)
    const isKnown = ranges.some((range) => range.from <= origin.from && origin.to <= range.to)
    return isKnown ? [] : [used(alias, 'reference', origin)]
  })
  return [...findings, ...references]
}

function isSyntax(finding: Finding): boolean {
  return finding.kind === 'refusal' && finding.refusal.type === 'command_syntax'
}
