import { optionRefusal, outputCompanionOptions, workingFileOptions } from './option-table.ts'
import { pathProblem } from './path-policy.ts'

/** Options whose value is a list of further options for a muxer behind the muxer. */
export const nestedOptionLists: ReadonlySet<string> = new Set([
  'hls_segment_options',
  'segment_format_options',
  'format_options',
  'format_opts',
  'fifo_options',
])

/**
 * Why a list of options (`name=value:name=value`) is refused, as the rest of a sentence. Quoting
 * is not undone: what it could hide is left to the sandbox.
 */
export function nestedOptionsProblem(list: string): string | null {
  for (const entry of list.split(':')) {
    const [name = '', value = ''] = entry.split(/=(.*)/s).map((part) => part.trim())
    if (optionRefusal(`-${name}`) !== null) return 'sets an option that is not allowed; remove it'
    const problem =
      outputCompanionOptions.has(name) || workingFileOptions.has(name) ? pathProblem(value) : null
    if (problem !== null) return problem
  }
  return null
}
