import type { OptionArgument } from '../grammar/arguments.ts'
import { filterOptions } from '../grammar/option-table.ts'
import { named, refused, type Finding } from '../model/findings.ts'
import { inspectTee } from './inspect-tee.ts'
import { inspectOutputFile, outputText, type OutputFolder } from './inspect-output-file.ts'
import { unknownOutputFormat } from './output-format.ts'
import { pathProblem } from '../grammar/path-policy.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import { plainReading, type Reading } from '../read/reading.ts'
import type { InspectedArgument } from './resolve-argument.ts'
import type { SubmittedFiles } from '../model/step-context.ts'
import type { Token } from '../read/tokens.ts'

export type InspectedOutput = { argument: InspectedArgument; folder: OutputFolder }

/** Checks an output: a placeholder, the null sink, legs of `tee`, or a bare name where those are allowed. */
export function inspectOutput(
  token: Token,
  options: readonly OptionArgument[],
  format: string | null,
  files: SubmittedFiles,
): InspectedOutput {
  const reading = plainReading(token)
  if (format === 'tee') return { argument: inspectTee(reading, files), folder: null }
  const surplus = format === null ? surplusValue(reading, options) : null
  if (surplus !== null) return { argument: { reading, findings: [surplus] }, folder: null }
  const master = masterPlaylist(options)
  if (master !== null) return inspectVariants(reading, master)
  const { findings, folder } = inspectOutputFile(
    reading.text,
    format,
    reading.token,
    files,
    endsInText(options.at(-1)),
  )
  const formatless = unknownOutputFormat(reading.text, options, reading.token, files)
  return {
    argument: {
      reading,
      text: outputText(reading.text, format),
      // Last, since what is wrong with the output itself explains more.
      findings: formatless === null ? findings : [...findings, formatless],
    },
    folder,
  }
}

/** `-shortest 1`: FFmpeg would write a file of that name. */
function surplusValue(
  { text, token }: Reading,
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

/** Words behind a text, such as a title or what drawtext draws, belong to it if it lacks its quotes. */
function endsInText(option: OptionArgument | undefined): boolean {
  if (option === undefined || option.value === null || option.value.beginsQuoted) return false
  return option.name === 'metadata' || filterOptions.has(option.name)
}

/** The playlist that `-master_pl_name {{out_playlist_1}}` makes out of several variants. */
function masterPlaylist(options: readonly OptionArgument[]): string | null {
  const value = options.findLast(({ name }) => name === 'master_pl_name')?.value ?? null
  return value === null ? null : wholePlaceholder(plainReading(value).text)
}

/** FFmpeg puts the master beside or above its variants, so their bare name goes into its folder. */
function inspectVariants(reading: Reading, master: string): InspectedOutput {
  const problem = pathProblem(reading.text)
  const text = `${master}/${reading.text}`
  const finding =
    problem !== null
      ? refused('command_forbidden', reading.token, (place) => `${place} ${problem}`)
      : reading.text.includes('{{')
        ? refused(
            'command_alias',
            reading.token,
            (place) =>
              `Behind -master_pl_name {{${master}}} the output is a bare name, as v%v/part.m3u8, not ${place}`,
          )
        : named(text, 'write')
  return {
    argument: { reading, text, findings: [finding] },
    folder: { path: master, isPlaylist: true },
  }
}
