import { readToken, textOf, unitsOf } from './ffmpeg-quoting.ts'
import { nestedFormatRefusal } from './format-policy.ts'
import {
  readOption,
  outputCompanionOptions,
  sourceOptions,
  workingFileOptions,
} from './option-table.ts'
import { pathProblem } from './path-policy.ts'

/** Options whose value is a list of further options, for what works behind a muxer or demuxer. */
const nestedOptionLists: ReadonlySet<string> = new Set([
  'hls_segment_options',
  'hls_vtt_options',
  'segment_format_options',
  'seg_format_options',
  'format_options',
  'format_opts',
  'fifo_options',
  'http_opts',
  'protocol_opts',
])

/**
 * Why a list of options (`name=value:name=value`) is refused, as the rest of a sentence. Its quoting
 * is that of `av_dict_parse_string`.
 */
export function nestedOptionsProblem(list: string, depth = 1): string | null {
  if (depth > mostLevels) return 'nests options more deeply than any muxer does; write fewer levels'
  const units = unitsOf(list)
  for (let offset = 0; offset < units.length;) {
    const key = readToken(units, offset, '=')
    const value = readToken(units, key.next + 1, ':')
    offset = value.next + 1
    const name = textOf(key.units)
    if (readOption(`-${name}`).refusal !== null)
      return 'sets an option that is not allowed; remove it'
    const problem = nestedValueProblem(name, textOf(value.units), depth)
    if (problem !== null) return problem
  }
  return null
}

/** The same for the value of one option in such a list, or in a leg of `tee`. */
export function nestedValueProblem(name: string, value: string, depth = 0): string | null {
  if (nestedOptionLists.has(name)) return nestedOptionsProblem(value, depth + 1)
  if (nestedFormats.has(name)) return nestedFormatRefusal(value)
  if (name === 'var_stream_map') return variantNamesProblem(value)
  return outputCompanionOptions.has(name) || workingFileOptions.has(name) || sourceOptions.has(name)
    ? pathsProblem(name, value)
    : null
}

/** `fifo` behind `tee`, with a muxer that has a muxer behind it; thousands of levels end the process. */
const mostLevels = 4

/** Options that name the muxer behind a muxer. */
const nestedFormats: ReadonlySet<string> = new Set(['fifo_format', 'segment_format'])

/**
 * FFmpeg puts a variant's name where the output's name has `%v`: a slash or dots would lead into another
 * folder, a colon to a protocol. It splits at blanks and tabs, then at commas, and at nothing else.
 */
function variantNamesProblem(map: string): string | null {
  const names = map
    .split(/[ \t,]+/)
    .flatMap((part) => (part.startsWith('name:') ? [part.slice('name:'.length)] : []))
  return names.every((name) => /^[\p{L}\p{N}_.+-]+$/u.test(name) && !/^\.+$/.test(name))
    ? null
    : 'has a variant whose name would lead into another folder; use letters and digits'
}

/** `assetmaps` is a list of paths. */
function pathsProblem(name: string, value: string): string | null {
  const paths = name === 'assetmaps' ? value.split(',') : [value]
  return paths.map(pathProblem).find((problem) => problem !== null) ?? null
}
