import { parseFilterGraph } from '../../common/command-line/grammar/filter-graph.ts'
import filterNames from '../../common/command-line/grammar/filters.json' with { type: 'json' }
import { splitCommand } from '../../common/command-line/read/tokens.ts'

const knownFilters: ReadonlySet<string> = new Set(filterNames)

/** True for a graph that FFmpeg would begin to build. */
export function isGraph(text: string): boolean {
  const parsed = parseFilterGraph(text)
  return parsed.ok && parsed.filters.every(({ name }) => knownFilters.has(name))
}

/** True for a text that names a filter where a graph does first; quotes within names do not matter. */
export function beginsWithFilter(text: string): boolean {
  const name = /^\s*(?:\[[^\]]*\]\s*)*(\w+)/.exec(text.replace(/['\\]/g, ''))?.[1] ?? ''
  return knownFilters.has(name)
}

/** The graphs of an example: itself, or each of its lines; none when it is something else. */
export function graphsIn(example: string): string[] {
  const lines = example.split('\n').filter((line) => line.trim() !== '')
  const isOnePerLine = lines.every((line) => isGraph(line) && !/[,;]\s*$/.test(line))
  if (isOnePerLine) return lines
  return isGraph(example) ? [example] : []
}

/** Graph as an option's value: bare where that is one word, like those with quotes for a shell; else quoted. */
export function asOptionValue(graph: string): string {
  const splitting = splitCommand(graph)
  const isWord = splitting.ok && splitting.tokens.length === 1
  return isWord ? graph : `'${graph.replaceAll("'", `'\\''`)}'`
}

export type Readings = 'same words' | 'same graph' | 'a graph only here' | 'different'

/** How what FFmpeg gets here compares with what it would get from a shell. */
export function compareReadings(ours: string, fromShell: string): Readings {
  if (ours === fromShell) return 'same words'
  if (!isGraph(fromShell)) return 'a graph only here'
  return meaning(ours) === meaning(fromShell) ? 'same graph' : 'different'
}

function meaning(text: string): string {
  const graph = parseFilterGraph(text)
  if (!graph.ok) return graph.reason
  return JSON.stringify(
    graph.filters.map((filter) => [
      filter.name,
      filter.arguments.map(({ key, value }) => [key, value]),
    ]),
  )
}
