import filterNames from './filters.json' with { type: 'json' }
import { parseFilterGraph, type FilterGraph } from './filter-graph.ts'
import { filterReading, plainReading, type Reading } from '../read/reading.ts'
import type { Token } from '../read/tokens.ts'

const knownFilters: ReadonlySet<string> = new Set(filterNames)

export type FilterValue = {
  reading: Reading
  graph: FilterGraph
  /** A shell reads it as quoted from its first character on. */
  isQuoted: boolean
}

/**
 * Chooses how to read a filter graph. Published commands write FFmpeg's own quotes without shell
 * quotes (`-vf select='gt(n,1)',scale=1:2`): a shell would drop them and FFmpeg would split at the
 * commas, so they are kept if the result is a graph of known filters. Text that is correct in a
 * shell (`text='a\\: b'`) fits only the shell's reading, or has doubled backslashes, which are
 * never written for FFmpeg alone. If neither reading fits, FFmpeg gets the first that parses as a
 * graph and reports the filter it does not know. A value that begins with a quote has been quoted
 * for a shell.
 */
export function readFilterValue(token: Token): FilterValue {
  const isQuoted = token.beginsQuoted
  const plain = plainReading(token)
  if (isQuoted) return { reading: plain, graph: graphOf(plain), isQuoted }
  const kept = filterReading(token)
  const first = { reading: kept, graph: graphOf(kept), isQuoted }
  const fits = isWellFormed(first.graph)
  if (fits && !kept.text.includes('\\\\')) return first
  const second = { reading: plain, graph: graphOf(plain), isQuoted }
  if (isWellFormed(second.graph)) return second
  if (fits) return first
  return !first.graph.ok && second.graph.ok ? second : first
}

function graphOf(reading: Reading): FilterGraph {
  return reading.text.trim() === ''
    ? { ok: true, filters: [], links: [] }
    : parseFilterGraph(reading.text)
}

function isWellFormed(graph: FilterGraph): boolean {
  return graph.ok && graph.filters.every((filter) => knownFilters.has(filter.name))
}
