import { inspectGraph } from './filter-policy.ts'
import { readFilterValue } from './filter-value.ts'
import { refused, used, type Finding } from './findings.ts'
import { inspectNamedFile } from './inspect-named-file.ts'
import { findPlaceholders, wholePlaceholder } from './placeholders.ts'
import type { PlannedText } from './plan.ts'
import { plannedText } from './planned-text.ts'
import { originOf, plainReading, type Reading } from './reading.ts'
import { withReferences } from './references.ts'
import { outputPathOf, type SubmittedFiles } from './submitted-files.ts'
import type { Token } from './tokens.ts'

const joined = /^concat:\{\{[A-Za-z0-9_]+\}\}(?:\|\{\{[A-Za-z0-9_]+\}\})*$/

/** Checks what stands behind `-i`: a placeholder, several joined by `concat:`, or a graph of sources. */
export function inspectInput(
  token: Token,
  format: string | null,
  files: SubmittedFiles,
): { text: PlannedText; findings: Finding[] } {
  const graph = format === 'lavfi' ? readFilterValue(token) : null
  const reading = graph?.reading ?? plainReading(token)
  const findings =
    graph === null
      ? inspectInputFile(reading, files)
      : withReferences(reading, inspectGraph(graph, files))
  return { text: plannedText(reading.text, (alias) => outputPathOf(files, alias)), findings }
}

function inspectInputFile(reading: Reading, files: SubmittedFiles): Finding[] {
  const { text, token } = reading
  const alias = wholePlaceholder(text)
  if (alias !== null) return [used(alias, 'input', token)]
  if (joined.test(text)) {
    return findPlaceholders(text).map((found) =>
      used(found.alias, 'input', originOf(reading, found.from, found.to)),
    )
  }
  if (text === '') {
    return [refused('command_syntax', token, (place) => `Option '-i' has an empty value: ${place}`)]
  }
  return inspectNamedFile(text, 'source', token, files)
}
