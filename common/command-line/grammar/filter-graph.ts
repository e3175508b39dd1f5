import {
  rangeOf,
  readKey,
  readToken,
  skipBlanks,
  textOf,
  unitsOf,
  type TextRange,
  type Unit,
} from './ffmpeg-quoting.ts'
import { cutPathRemedy } from '../remedies/font-remedies.ts'

export type FilterArgument = {
  /** Name as written; null for a positional argument. */
  key: string | null
  value: string
  /** The same with the place of each character, for what is nested in it. */
  units: readonly Unit[]
  keyRange: TextRange
  valueRange: TextRange
}

export type FilterUse = { name: string; range: TextRange; arguments: FilterArgument[] }

/** A label in brackets; `filter`: name of the one that it stands at. */
export type GraphLink = { label: string; range: TextRange; isOutput: boolean; filter: string }

export type FilterGraph = { ok: true; filters: FilterUse[]; links: GraphLink[] } | Failure

/** `advice`: the remedy, if the graph alone shows it. */
type Failure = { ok: false; at: number; reason: string; advice?: string }

/**
 * Tokenises a filter graph exactly as libavfilter 10 does (`avfilter_graph_segment_parse`,
 * `av_get_token`, `av_opt_get_key_value`): names and arguments are unescaped once, values between
 * colons a second time. No pattern over the text could do that: quotes and backslashes inside a
 * name, blanks around it and an `@id` behind it are all accepted by FFmpeg.
 */
export function parseFilterGraph(text: string): FilterGraph {
  const units = unitsOf(text)
  const filters: FilterUse[] = []
  const links: GraphLink[] = []
  let offset = skipBlanks(units, 0)
  if (text.startsWith('sws_flags=', offset)) {
    const end = text.indexOf(';', offset)
    if (end === -1) return failure(units, offset, "'sws_flags=' is not ended by ';'")
    const scaler = text.slice(offset, end)
    if (scaler.replace(/['\\]/g, '').includes('threads')) {
      const at = offset + scaler.indexOf(':') + 1
      return failure(units, at, "'sws_flags=' sets threads, which the service counts")
    }
    offset = end + 1
  }
  while (true) {
    const inputs = skipLabels(units, skipBlanks(units, offset))
    if (!inputs.ok) return inputs
    const filter = parseFilter(units, inputs.next)
    if (!filter.ok) return filter
    filters.push(filter.use)
    const outputs = skipLabels(units, filter.next)
    if (!outputs.ok) return outputs
    const { name } = filter.use
    for (const label of inputs.labels) links.push({ ...label, isOutput: false, filter: name })
    for (const label of outputs.labels) links.push({ ...label, isOutput: true, filter: name })
    offset = skipBlanks(units, outputs.next)
    const separator = units[offset]?.character
    if (separator === undefined) return { ok: true, filters, links }
    if (separator !== ',' && separator !== ';') {
      return failure(units, offset, "',' or ';' is missing between two filters")
    }
    offset = skipBlanks(units, offset + 1)
    // A separator at the very end is taken, also the ',' that people leave behind.
    if (offset >= units.length) return { ok: true, filters, links }
  }
}

/** Syntax of scripts that a graph of several lines is copied from. */
const foreign: ReadonlyMap<string, string> = new Map([
  ['#', 'a graph has no comments'],
  ['^', "'^' continues a line in a terminal of Windows only"],
])

function failure(units: readonly Unit[], offset: number, reason: string): Failure {
  return { ok: false, at: units[offset]?.at ?? Math.max(units.length - 1, 0), reason }
}

type Labels = { ok: true; next: number; labels: Pick<GraphLink, 'label' | 'range'>[] }

function skipLabels(units: readonly Unit[], start: number): Labels | Failure {
  const labels: Labels['labels'] = []
  let offset = start
  while (units[offset]?.character === '[') {
    const label = readToken(units, offset + 1, ']')
    if (label.units.length === 0) return failure(units, offset, 'a link label is empty')
    if (units[label.next]?.character !== ']') return failure(units, offset, "']' is missing")
    labels.push({ label: textOf(label.units), range: rangeOf(label.units) })
    offset = skipBlanks(units, label.next + 1)
  }
  return { ok: true, next: offset, labels }
}

function parseFilter(
  units: readonly Unit[],
  start: number,
): { ok: true; use: FilterUse; next: number } | Failure {
  const mark = foreign.get(units[start]?.character ?? '')
  if (mark !== undefined) return failure(units, start, mark)
  const written = readToken(units, start, '=,;[')
  const whole = textOf(written.units)
  const instance = whole.indexOf('@')
  const name = instance === -1 ? whole : whole.slice(0, instance)
  if (name === '') return failure(units, start, 'the name of a filter is missing')
  const range = rangeOf(written.units)
  if (units[written.next]?.character !== '=') {
    return { ok: true, use: { name, range, arguments: [] }, next: written.next }
  }
  const value = readToken(units, written.next + 1, '[],;')
  const parsed = parseArguments(value.units)
  if (!parsed.ok) return parsed
  return { ok: true, use: { name, range, arguments: parsed.arguments }, next: value.next }
}

function parseArguments(
  units: readonly Unit[],
): { ok: true; arguments: FilterArgument[] } | Failure {
  const found: FilterArgument[] = []
  let named = false
  let offset = 0
  while (offset < units.length) {
    const key = readKey(units, offset)
    if (key === null && named) {
      return {
        ...failure(units, offset, 'an argument without a name follows one with a name'),
        advice:
          cutPathRemedy(found.at(-1), textOf(units.slice(offset))) ??
          "write \\: for each ':' within a value, within quotes too",
      }
    }
    named ||= key !== null
    const value = readToken(units, key?.next ?? offset, ':')
    const valueRange = rangeOf(value.units, units[offset]?.at)
    found.push({
      key: key?.name ?? null,
      value: textOf(value.units),
      units: value.units,
      keyRange: key?.range ?? valueRange,
      valueRange,
    })
    offset = value.next + 1
  }
  return { ok: true, arguments: found }
}
