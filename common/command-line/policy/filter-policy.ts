import { isHardwareCodec } from './codec-policy.ts'
import { filterCommandsProblem } from './filter-commands.ts'
import { filterFileRole, filterOptionName, filtersWithDefaultFiles } from './filter-files.ts'
import type { TextRange } from '../grammar/ffmpeg-quoting.ts'
import type { FilterArgument, FilterUse } from '../grammar/filter-graph.ts'
import type { FilterValue } from '../grammar/filter-value.ts'
import { isInputAlias } from '../model/alias.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import { namedFile, refused, type Finding, type RawFinding } from '../model/findings.ts'
import { inputFormatRefusal } from '../grammar/format-policy.ts'
import { nestedOptionsProblem } from '../grammar/nested-options.ts'
import { missingFilterRemedy } from '../remedies/missing-parts.ts'
import { originOf } from '../read/reading.ts'
import type { SourceRange } from '../model/refusal.ts'

const code = new Set([
  'asr',
  'ladspa',
  'lv2',
  'frei0r',
  'frei0r_src',
  'openclsrc',
  'libplacebo',
  'hwmap',
])
const codeFamilies = /(?:_opencl|_vulkan|_vaapi|_qsv|_cuda|_npp|_videotoolbox)$|^(?:hwupload|dnn_)/
const network = new Set(['zmq', 'azmq'])

/** Inspects every filter of a graph: its name, options read from files, and files that it opens. */
export function inspectFilterGraph({ reading, graph, isQuoted }: FilterValue): RawFinding[] {
  const origin = (range: TextRange): SourceRange => originOf(reading, range.from, range.to)
  if (!graph.ok) {
    const range = originOf(reading, graph.at, graph.at + 1)
    const advice = graph.advice ?? (isQuoted ? null : 'a graph with blanks needs quotes around it')
    const sentence = (place: string): string =>
      `Filter graph not understood at ${place}: ${[graph.reason, advice ?? []].flat().join('; ')}`
    return [refused('command_syntax', range, sentence)]
  }
  return graph.filters.flatMap((filter) => inspectFilter(filter, origin))
}

function inspectFilter(filter: FilterUse, origin: (range: TextRange) => SourceRange): RawFinding[] {
  const refusal = filterRefusal(filter.name)
  if (refusal !== null) {
    return [
      refused(
        'command_forbidden',
        origin(filter.range),
        (place) => `Filter '${filter.name}' is not available (${place}): ${refusal}`,
      ),
    ]
  }
  const findings = filter.arguments.flatMap((argument, index) =>
    inspectArgument(filter.name, argument, index, origin),
  )
  return filtersWithDefaultFiles.has(filter.name)
    ? [...findings, { kind: 'unnamed-files' }]
    : findings
}

function filterRefusal(name: string): string | null {
  const missing = missingFilterRemedy(name)
  if (missing !== null) return missing
  if (network.has(name)) return 'FFmpeg has no network here'
  if (code.has(name) || codeFamilies.test(name)) {
    return 'it loads code or needs hardware; use a filter that FFmpeg has built in'
  }
  return null
}

function inspectArgument(
  filter: string,
  argument: FilterArgument,
  position: number,
  origin: (range: TextRange) => SourceRange,
): RawFinding[] {
  if (argument.key?.startsWith('/') === true) {
    return [
      refused(
        'command_forbidden',
        origin(argument.keyRange),
        (place) => `Filter option ${place} reads its value from a file; write the value out`,
      ),
    ]
  }
  const range = origin(argument.valueRange)
  if (curlyStart.test(argument.value) && !filtersWithTexts.has(filter)) {
    return [refused('command_syntax', range, curlyValue)]
  }
  const option = filterOptionName(filter, argument.key, position)
  if (option === null) return []
  const role = filterFileRole(filter, option)
  if (role !== null) {
    const file = namedFile(argument.value, role, range)
    return option === 'fontsdir' ? [file, ...fontFolder(argument)] : [file]
  }
  if (isCommandList(filter, option)) {
    const found = filterCommandsProblem(argument.units)
    return found === null ? [] : [forbidden(found.problem, origin(found.range))]
  }
  const problem = valueProblem(filter, option, argument.value)
  return problem === null ? [] : [forbidden(problem, range)]
}

const curlyStart = /^[\u2018\u201a\u201b\u201c\u201e\u201f\u00ab]/
/** Those that take texts of any characters; another one would fail at such a quote. */
const filtersWithTexts: ReadonlySet<string> = new Set(
  'drawtext subtitles ass metadata ametadata sendcmd asendcmd drawgraph adrawgraph flite'.split(
    ' ',
  ),
)

function curlyValue(place: string): string {
  return `${place} begins with a typographic quote, which FFmpeg takes for a letter; type ' in its place`
}

/** libass accepts a folder there and skips a file without a message. */
function fontFolder({ value, valueRange }: FilterArgument): Finding[] {
  const alias = wholePlaceholder(value)
  return alias === null || !isInputAlias(alias)
    ? []
    : [{ kind: 'font-folder', alias, at: valueRange.to }]
}

function valueProblem(filter: string, option: string, value: string): string | null {
  if (ownThreads.get(filter) === option && !/^\s*[01]\s*$/.test(value)) {
    return "would start threads of the filter's own, which the service counts; remove the option"
  }
  if (filter === 'uspp' && option === 'codec' && isHardwareCodec(value)) {
    return 'is a codec of hardware, of which there is none; name another'
  }
  if (filter === 'movie' || filter === 'amovie') return movieOptionProblem(option, value)
  return null
}

function isCommandList(filter: string, option: string): boolean {
  return (filter === 'sendcmd' || filter === 'asendcmd') && option === 'commands'
}

function forbidden(problem: string, range: SourceRange): Finding {
  return refused('command_forbidden', range, (place) => `${place} ${problem}`)
}

/** Beside those of the graph: 2,500 filters of 64 KiB could start a million. */
const ownThreads: ReadonlyMap<string, string> = new Map([
  ['scale', 'threads'],
  ['scale2ref', 'threads'],
  ['movie', 'dec_threads'],
  ['amovie', 'dec_threads'],
])

/** A nested `lavfi` would hide a second graph from this inspection. */
function movieOptionProblem(option: string, value: string): string | null {
  return option === 'format_name'
    ? value.trim().toLowerCase() === 'lavfi'
      ? 'is a graph within a graph; write its filters out'
      : inputFormatRefusal(value)
    : option === 'format_opts'
      ? nestedOptionsProblem(value)
      : null
}
