import type { OptionArgument } from '../grammar/arguments.ts'
import extensions from '../grammar/output-extensions.json' with { type: 'json' }
import { refused, type Finding } from '../model/findings.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import type { SourceRange } from '../model/refusal.ts'
import type { SubmittedFiles } from '../model/step-context.ts'

const knownExtensions: ReadonlySet<string> = new Set(extensions)

/** `-target dvd` sets `-f` itself. */
const formatOptions: ReadonlySet<string> = new Set(['f', 'target'])

/**
 * Refuses an output whose format FFmpeg cannot infer. Without `-f` it searches for a muxer by the
 * text after the last dot of the name, case-insensitively (`av_guess_format`), and exits if it
 * finds none.
 * @param text the output as written: an alias, or a bare name where those are allowed
 */
export function unknownOutputFormat(
  text: string,
  options: readonly OptionArgument[],
  range: SourceRange,
  files: SubmittedFiles,
): Finding | null {
  if (options.some(({ name }) => formatOptions.has(name))) return null
  const alias = wholePlaceholder(text)
  const name = alias === null ? text : files.outputs.get(alias)?.name
  // Pictures behind a number have a table of extensions of their own.
  if (name === undefined || name.includes('%')) return null
  const dot = name.lastIndexOf('.')
  const extension = dot === -1 ? '' : name.slice(dot + 1)
  if (knownExtensions.has(extension.toLowerCase())) return null
  const reason =
    extension === ''
      ? 'FFmpeg cannot choose a format for a name without an extension'
      : `FFmpeg has no format with the extension '.${extension}'`
  const subject = alias === null ? '' : `, named '${name}' in output_files`
  const example = `'${extension === '' ? name.replace(/\.$/, '') : name.slice(0, dot)}.mp4'`
  return refused(
    'command_syntax',
    range,
    (place) =>
      `Output ${place}${subject}: ${reason}; give it a known extension, as in ${example}, or write -f and the format in front of it`,
  )
}
