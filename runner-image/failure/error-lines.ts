import filterNames from '../../common/command-line/grammar/filters.json' with { type: 'json' }
import { parseFilterGraph } from '../../common/command-line/grammar/filter-graph.ts'

const mostLines = 12
/** The first error is the cause; FFmpeg's last line is only its consequence. */
const firstLines = 4

/**
 * The lines among FFmpeg's errors that give the cause: without consequential errors (each thread of
 * FFmpeg reports the failure of the one before it), without repetitions, at most 12.
 * @param lines in order, without addresses of memory
 */
export function causeLines(lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const distinct = [...new Set(withUnknownFilter(joinedLists(lines)))]
  const causes = distinct.filter((line) => !isConsequence(line))
  const kept = causes.length > 0 ? causes : withFileNames(distinct)
  if (kept.length <= mostLines) return kept
  return [...kept.slice(0, firstLines), '…', ...kept.slice(firstLines - mostLines + 1)]
}

/** Whether a line of FFmpeg's log only reports a consequence of another error. */
export function isConsequence(line: string): boolean {
  return consequences.some((pattern) => pattern.test(line))
}

/** Supported sample rates and the like come one a line: `[aac]   48000`. */
function joinedLists(lines: readonly string[]): string[] {
  const joined: string[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    const item = /^(\[[^\]]+\] ) +(\S+)$/.exec(line)
    const [, part = '', value = ''] = item ?? []
    if (item === null || last?.startsWith(part) !== true) joined.push(line)
    else joined[joined.length - 1] = last.endsWith(':') ? `${last} ${value}` : `${last}, ${value}`
  }
  return joined
}

/** FFmpeg names the file in one line and the reason in the next. */
function withFileNames(lines: readonly string[]): string[] {
  const texts = lines.join('\n').replaceAll(fileThenReason, '$1: $2')
  const complete = texts.split('\n')
  const [named] = complete.filter((line) => /^Error opening (?:in|out)put file .+: /.test(line))
  return named === undefined ? complete : [named]
}

const fileThenReason =
  /^(Error opening (?:in|out)put file .+)\.\nError opening (?:in|out)put files: (.+)$/gm

/** Messages of FFmpeg 7.1, some with the component in front. */
const consequences = [
  /^Error opening (?:in|out)put files?\b/,
  /^Error parsing (?:global options: |options for (?:in|out)put file )/,
  /^Failed to set value '.*' for option '(?:filter_complex|lavfi)': /,
  /^Error splitting the argument list: /,
  /^Error binding filtergraph inputs\/outputs: /,
  /^Conversion failed!$/,
  /\] Error opening input: /,
  /\] Error (?:selecting an|applying) (?:en|de)coder/,
  /\] Error initializing (?:filters|complex filters|the muxer for )/,
  /\] Error processing (?:filtergraph: |forced keyframes$)/,
  /\] Error (?:sending frames to consumers|while filtering|reinitializing filters)/,
  /\] Error (?:muxing a packet|submitting a packet to the muxer)/,
  /\] Error while opening encoder - maybe incorrect parameters/,
  /\] Could not open encoder before EOF$/,
  /\] Could not write header \(incorrect codec parameters \?\): /,
  /\] Failed to (?:configure (?:in|out)put pad on|inject frame into filter network|set option$)/,
  /\] No filtered frames for output stream, /,
  /\] Nothing was written into output file, because /,
  /\] (?:Task finished with error code|Terminating thread with return code)/,
]

const knownFilters: ReadonlySet<string> = new Set(filterNames)

/**
 * FFmpeg 7.1 parses a filter's options before it searches for the filter, so for the unknown one in
 * `scal=640:-1` it only reports `No option name near '640:-1'`. Prepends the sentence that it has
 * for an unknown filter without options.
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
