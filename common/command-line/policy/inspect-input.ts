import { inspectGraph } from './filter-policy.ts'
import { readFilterValue } from '../grammar/filter-value.ts'
import { folderInsertions, refused, used, type Finding } from '../model/findings.ts'
import { inspectNamedFile } from './inspect-named-file.ts'
import { pathProblem } from '../grammar/path-policy.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import type { PlannedText } from '../model/plan.ts'
import { plannedText, type Insertion } from '../model/planned-text.ts'
import { originOf, plainReading, type Reading } from '../read/reading.ts'
import { withReferences } from './unparsed-placeholders.ts'
import { outputPathOf, type SubmittedFiles } from '../model/submitted-files.ts'
import type { Token } from '../read/tokens.ts'

const joined = 'concat:'

/** Checks what stands behind `-i`: a file, several joined by `concat:`, or a graph of sources. */
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
  const pathOf = graph === null ? inputPathOf : outputPathOf
  const insertions = graph === null ? patternInsertions(reading.text) : folderInsertions(findings)
  return { text: plannedText(reading.text, (alias) => pathOf(files, alias), insertions), findings }
}

/** A file of the archive that it fits may be called `http:`, and FFmpeg opens what it finds as a URL. */
function patternInsertions(text: string): Insertion[] {
  return isPattern.test(text) ? [{ at: 0, text: './' }] : []
}

const isPattern = /^(?!\.\/)[^/{]*(?:[*?[]|\{(?!\{))/

/** FFmpeg 7.1 puts the folder of a relative DASH manifest in front of its segments twice. */
function inputPathOf(files: SubmittedFiles, alias: string): string | null {
  const path = outputPathOf(files, alias)
  return path?.toLowerCase().endsWith('.mpd') === true ? `file:${path}` : path
}

function inspectInputFile(reading: Reading, files: SubmittedFiles): Finding[] {
  const { text, token } = reading
  const alias = wholePlaceholder(text)
  if (alias !== null) return [used(alias, 'input', token)]
  if (text.startsWith(joined)) return inspectJoined(reading, files)
  if (text === '') {
    return [refused('command_syntax', token, (place) => `Option '-i' has an empty value: ${place}`)]
  }
  return inspectNamedFile(text, 'source', token, files)
}

/** A bar separates what the protocol `concat:` joins; it cannot be escaped. */
function inspectJoined(reading: Reading, files: SubmittedFiles): Finding[] {
  const { text } = reading
  let at = joined.length
  return text
    .slice(joined.length)
    .split('|')
    .flatMap((part) => {
      const range = originOf(reading, at, at + part.length)
      at += part.length + 1
      const alias = wholePlaceholder(part.replace(/^file:/, ''))
      if (alias !== null) return [used(alias, 'input', range)]
      if (part === '') return [namelessPart(reading)]
      // A forbidden protocol is reported for the whole value, as for any other protocol.
      const origin = pathProblem(part) === null ? range : reading.token
      return inspectNamedFile(part, 'source', origin, files)
    })
}

function namelessPart({ token }: Reading): Finding {
  return refused(
    'command_syntax',
    token,
    (place) => `'concat:' joins a file without a name in ${place}`,
  )
}
