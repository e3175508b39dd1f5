import type { OptionArgument } from '../grammar/arguments.ts'
import { inspectCodec, inspectEncoderString } from './codec-policy.ts'
import { companionPath } from './companion-path.ts'
import { inspectGraph } from './filter-policy.ts'
import { readFilterValue } from '../grammar/filter-value.ts'
import { folderInsertions, refused, used, type Finding } from '../model/findings.ts'
import { inputFormatRefusal, outputFormatRefusal } from '../grammar/format-policy.ts'
import type { OutputFolder } from './inspect-output-file.ts'
import { inspectNamedFile } from './inspect-named-file.ts'
import { nestedValueProblem } from '../grammar/nested-options.ts'
import {
  codecOptions,
  encoderStringOptions,
  filterOptions,
  outputCompanionOptions,
  sourceOptions,
  workingFileOptions,
} from '../grammar/option-table.ts'
import { isPlaylistAlias } from '../model/output-name.ts'
import { pathProblem } from '../grammar/path-policy.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import type { ArgumentGroup, PlannedOption, PlannedText } from '../model/plan.ts'
import { plannedText } from '../model/planned-text.ts'
import { plainReading, type Reading } from '../read/reading.ts'
import { withReferences } from './unparsed-placeholders.ts'
import { outputPathOf, type SubmittedFiles } from '../model/submitted-files.ts'
import type { Token } from '../read/tokens.ts'

export type OptionContext = {
  kind: ArgumentGroup['kind']
  folder: OutputFolder
  files: SubmittedFiles
}

type InspectedValue = { text: PlannedText; findings: Finding[] }

/** Checks one option by what its value means to FFmpeg. */
export function inspectOption(
  option: OptionArgument,
  context: OptionContext,
): { planned: PlannedOption; findings: Finding[] } {
  const planned = { flag: option.flag.text, name: option.name }
  if (option.value === null) return { planned: { ...planned, value: null }, findings: [] }
  const value = inspectValue(option.name, option.value, context)
  const findings = [...keyAddress(option), ...value.findings]
  return { planned: { ...planned, value: value.text }, findings }
}

/** FFmpeg writes the key to this address before it puts the address into the playlist. */
function keyAddress({ name, flag, value }: OptionArgument): Finding[] {
  if (name !== 'hls_enc_key_url' || value === null) return []
  if (pathProblem(plainReading(value).text) === null) return []
  const sentence = (place: string): string =>
    `Option ${place} is for network access, which FFmpeg does not have here; give the key a bare name`
  return [refused('command_forbidden', flag.token, sentence)]
}

function inspectValue(name: string, token: Token, context: OptionContext): InspectedValue {
  if (filterOptions.has(name)) {
    const value = readFilterValue(token)
    return checked(value.reading, inspectGraph(value, context.files), context)
  }
  const reading = plainReading(token)
  if (outputCompanionOptions.has(name) || workingFileOptions.has(name)) {
    return inspectCompanion(name, reading, context)
  }
  return checked(reading, inspectPlainValue(name, reading, context), context)
}

function inspectPlainValue(name: string, value: Reading, context: OptionContext): Finding[] {
  if (name === 'f') return inspectFormat(value, context.kind === 'input')
  if (codecOptions.has(name)) return inspectCodec(value)
  if (encoderStringOptions.has(name)) return inspectEncoderString(value)
  if (name === 'assetmaps') {
    const paths = value.text.split(',')
    return paths.flatMap((path) => inspectNamedFile(path, 'source', value.token, context.files))
  }
  if (sourceOptions.has(name)) {
    return inspectNamedFile(value.text, 'source', value.token, context.files)
  }
  if (name === 'pass' || (/^[vas]?flags$/.test(name) && /pass[12]/.test(value.text))) {
    return [{ kind: 'unnamed-files' }]
  }
  const problem = scalerProblem(name, value.text) ?? nestedValueProblem(name, value.text)
  if (problem === null) return []
  return [refused('command_forbidden', value.token, (place) => `${place} ${problem}`)]
}

/** FFmpeg pastes the values into the arguments of a scaler that it inserts. */
function scalerProblem(name: string, value: string): string | null {
  return name.startsWith('sws_') && value.includes(':')
    ? 'would set further options of the scaler; flags are joined by +'
    : null
}

function inspectFormat(value: Reading, isInput: boolean): Finding[] {
  const problem = isInput ? inputFormatRefusal(value.text) : outputFormatRefusal(value.text)
  if (problem === null) return []
  return [refused('command_forbidden', value.token, (place) => `Format ${place} ${problem}`)]
}

function inspectCompanion(name: string, value: Reading, context: OptionContext): InspectedValue {
  const master = name === 'master_pl_name' ? wholePlaceholder(value.text) : null
  if (master !== null) return inspectMaster(master, value, context.files)
  const { path, prefix } = companionPath(name, value.text, context.folder)
  const findings = inspectNamedFile(value.text, 'companion', value.token, context.files)
  const insertions = prefix === '' ? [] : [{ at: 0, text: prefix }]
  return {
    text: plannedText(value.text, (alias) => outputPathOf(context.files, alias), insertions),
    findings: findings.map((found) => (found.kind === 'file' ? { ...found, path } : found)),
  }
}

/** FFmpeg itself puts the master's bare name beside or above the variants. */
function inspectMaster(alias: string, value: Reading, files: SubmittedFiles): InspectedValue {
  if (!isPlaylistAlias(alias)) {
    const finding = refused(
      'command_alias',
      value.token,
      (place) =>
        `Option '-master_pl_name' writes a playlist, so its alias begins with 'out_playlist_', unlike ${place}`,
    )
    return { text: [value.text], findings: [finding] }
  }
  return {
    text: [files.outputs.get(alias) ?? value.text],
    findings: [used(alias, 'output', value.token)],
  }
}

function checked(reading: Reading, findings: Finding[], context: OptionContext): InspectedValue {
  return {
    text: plannedText(
      reading.text,
      (alias) => outputPathOf(context.files, alias),
      folderInsertions(findings),
    ),
    findings: withReferences(reading, findings),
  }
}
