import type { OptionArgument } from '../grammar/arguments.ts'
import { named, refused, type Finding } from '../model/findings.ts'
import { inspectTee } from './inspect-tee.ts'
import { inspectOutputFile, outputText, type OutputFolder } from './inspect-output-file.ts'
import { unknownOutputFormat } from './output-format.ts'
import { pathProblem } from '../grammar/path-policy.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import type { PlannedText } from '../model/plan.ts'
import { plannedText } from '../model/planned-text.ts'
import { plainReading } from '../read/reading.ts'
import { withReferences } from './unparsed-placeholders.ts'
import type { SourceRange } from '../model/refusal.ts'
import { outputPathOf, type SubmittedFiles } from '../model/submitted-files.ts'
import type { Token } from '../read/tokens.ts'

export type InspectedOutput = {
  text: PlannedText | null
  findings: Finding[]
  folder: OutputFolder
}

/** Checks an output: a placeholder, the null sink, legs of `tee`, or a bare name where those are allowed. */
export function inspectOutput(
  token: Token,
  options: readonly OptionArgument[],
  format: string | null,
  files: SubmittedFiles,
): InspectedOutput {
  const reading = plainReading(token)
  const resolve = (alias: string): string | null => outputPathOf(files, alias)
  if (format === 'tee') {
    const { findings, insertions } = inspectTee(reading, files)
    return {
      text: plannedText(reading.text, resolve, insertions),
      findings: withReferences(reading, findings),
      folder: null,
    }
  }
  const surplus = format === null ? surplusValue(token, reading.text, options) : null
  if (surplus !== null) return { text: null, findings: [surplus], folder: null }
  const master = masterPlaylist(options)
  if (master !== null) return inspectVariants(reading.text, reading.token, master)
  const { findings, folder } = inspectOutputFile(reading.text, format, reading.token, files)
  const formatless = unknownOutputFormat(reading.text, options, reading.token, files)
  return {
    text: plannedText(outputText(reading.text, format), resolve),
    // Last, since what is wrong with the output itself explains more.
    findings: withReferences(reading, formatless === null ? findings : [...findings, formatless]),
    folder,
  }
}

/** `-shortest 1`: FFmpeg would write a file of that name. */
function surplusValue(
  token: Token,
  text: string,
  options: readonly OptionArgument[],
): Finding | null {
  const last = options.at(-1)
  if (last?.value !== null || !/^(?:[01]|true|false|yes|no|on|off)$/i.test(text)) return null
  const { flag, name } = last
  const isOff = /^(?:0|false|no|off)$/i.test(text) && !name.startsWith('no')
  const advice = isOff ? `remove it, or write '-no${name}'` : 'remove it'
  return refused(
    'command_syntax',
    token,
    (place) => `Option '${flag.text}' takes no value, so ${place} is one too many; ${advice}`,
  )
}

/** The playlist that `-master_pl_name {{out_playlist_1}}` makes out of several variants. */
function masterPlaylist(options: readonly OptionArgument[]): string | null {
  const values = options.flatMap(({ name, value }) =>
    name === 'master_pl_name' && value !== null ? [plainReading(value).text] : [],
  )
  return wholePlaceholder(values.at(-1) ?? '')
}

/** FFmpeg puts the master beside or above its variants, so their bare name goes into its folder. */
function inspectVariants(text: string, range: SourceRange, master: string): InspectedOutput {
  const problem = pathProblem(text)
  const finding =
    problem !== null
      ? refused('command_forbidden', range, (place) => `${place} ${problem}`)
      : text.includes('{{')
        ? refused(
            'command_alias',
            range,
            (place) =>
              `Behind -master_pl_name {{${master}}} the output is a bare name, as v%v/part.m3u8, not ${place}`,
          )
        : named(`${master}/${text}`, 'write')
  return {
    text: [`${master}/${text}`],
    findings: [finding],
    folder: { path: master, isPlaylist: true },
  }
}
