import { inspectFilterGraph } from './filter-policy.ts'
import { readFilterValue } from '../grammar/filter-value.ts'
import { namedFile, refused, used, type RawFinding } from '../model/findings.ts'
import { pathProblem } from '../grammar/path-policy.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import type { Insertion } from '../model/planned-text.ts'
import { originOf, plainReading, type Reading } from '../read/reading.ts'
import type { InspectedArgument } from './resolve-argument.ts'
import type { Token } from '../read/tokens.ts'

const joined = 'concat:'

/** Checks what stands behind `-i`: a file, several joined by `concat:`, or a graph of sources. */
export function inspectInput(token: Token, format: string | null): InspectedArgument {
  if (format === 'lavfi') {
    const value = readFilterValue(token)
    return { reading: value.reading, findings: inspectFilterGraph(value) }
  }
  const reading = plainReading(token)
  return {
    reading,
    findings: inspectInputFile(reading),
    insertions: patternInsertions(reading.text),
    outputsAs: 'input',
  }
}

/** A file of the archive that it fits may be called `http:`, and FFmpeg opens what it finds as a URL. */
function patternInsertions(text: string): Insertion[] {
  return isPattern.test(text) ? [{ at: 0, text: './' }] : []
}

const isPattern = /^(?!\.\/)[^/{]*(?:[*?[]|\{(?!\{))/

function inspectInputFile(reading: Reading): RawFinding[] {
  const { text, token } = reading
  const alias = wholePlaceholder(text)
  if (alias !== null) return [used(alias, 'input', token)]
  if (text.startsWith(joined)) return inspectJoined(reading)
  if (text === '') {
    return [refused('command_syntax', token, (place) => `Option '-i' has an empty value: ${place}`)]
  }
  return [namedFile(text, 'source', token)]
}

/** A bar separates what the protocol `concat:` joins; it cannot be escaped. */
function inspectJoined(reading: Reading): RawFinding[] {
  const { text } = reading
  let at = joined.length
  return text
    .slice(joined.length)
    .split('|')
    .map((part) => {
      const range = originOf(reading, at, at + part.length)
      at += part.length + 1
      const alias = wholePlaceholder(part.replace(/^file:/, ''))
      if (alias !== null) return used(alias, 'input', range)
      if (part === '') return refused('command_syntax', reading.token, namelessPart)
      // A forbidden protocol is reported for the whole value, as for any other protocol.
      const origin = pathProblem(part) === null ? range : reading.token
      return namedFile(part, 'source', origin)
    })
}

function namelessPart(place: string): string {
  return `'concat:' joins a file without a name in ${place}`
}
