import filterNames from '../../common/command-line/grammar/filters.json' with { type: 'json' }
import { parseFilterGraph } from '../../common/command-line/grammar/filter-graph.ts'

const knownFilters: ReadonlySet<string> = new Set(filterNames)

/**
 * FFmpeg 7.1 reads a filter's options before it looks for the filter, so that of the unknown one in
 * `scal=640:-1` it only says `No option name near '640:-1'`. Puts the sentence in front that it has
 * for a filter without options.
 */
export function withUnknownFilter(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => /No option name near '/.test(line))) return lines
  const graph = lines.flatMap((line) => parsedGraph.exec(line)?.[1] ?? []).at(-1)
  const parsed = graph === undefined ? null : parseFilterGraph(graph)
  if (parsed?.ok !== true) return lines
  const unknown = parsed.filters.find(({ name }) => !knownFilters.has(name))
  if (unknown === undefined) return lines
  return [
    `No such filter: '${unknown.name}'`,
    ...lines.filter((line) => !/No option name near '|Error parsing a? ?filter/.test(line)),
  ]
}

const parsedGraph = /Error parsing filterchain '(.+)' around:/
