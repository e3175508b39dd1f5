import type { OptionArgument } from '../grammar/arguments.ts'
import { inspectCodec, inspectEncoderString } from './codec-policy.ts'
import { companionPath } from './companion-path.ts'
import { inspectFilterGraph } from './filter-policy.ts'
import { readFilterValue } from '../grammar/filter-value.ts'
import { namedFile, refused, used, type Finding, type RawFinding } from '../model/findings.ts'
import { inputFormatRefusal, outputFormatRefusal } from '../grammar/format-policy.ts'
import type { OutputFolder } from './inspect-output-file.ts'
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
import type { ArgumentGroup } from '../model/plan.ts'
import { playableRemedy } from '../remedies/output-remedies.ts'
import { isInVariableFolder } from '../remedies/variable-folder.ts'
import type { SourceRange } from '../model/refusal.ts'
import { plainReading, type Reading } from '../read/reading.ts'
import type { InspectedArgument } from './resolve-argument.ts'

/**
 * Checks one option by what its value means to FFmpeg; null without a value.
 * @param folder that of the output's companion files
 */
export function inspectOption(
  option: OptionArgument,
  kind: ArgumentGroup['kind'],
  folder: OutputFolder,
): InspectedArgument | null {
  const { name, value } = option
  if (value === null) return null
  if (filterOptions.has(name)) {
    const graph = readFilterValue(value)
    return { reading: graph.reading, findings: inspectFilterGraph(graph) }
  }
  const reading = plainReading(value)
  return outputCompanionOptions.has(name) || workingFileOptions.has(name)
    ? inspectCompanion(option, reading, folder)
    : { reading, findings: inspectPlainValue(name, reading, kind === 'input') }
}

function inspectPlainValue(name: string, value: Reading, isInput: boolean): RawFinding[] {
  if (name === 'f') return inspectFormat(value, isInput)
  if (codecOptions.has(name)) return inspectCodec(value)
  if (encoderStringOptions.has(name)) return inspectEncoderString(value)
  if (name === 'assetmaps') {
    return value.text.split(',').map((path) => namedFile(path, 'source', value.token))
  }
  if (sourceOptions.has(name)) return [namedFile(value.text, 'source', value.token)]
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

function inspectCompanion(
  { name, flag }: OptionArgument,
  reading: Reading,
  folder: OutputFolder,
): InspectedArgument {
  const { text, token } = reading
  const alias = wholePlaceholder(text)
  if (name === 'segment_list' && alias !== null) {
    return { reading, findings: [segmentList(alias, token)] }
  }
  const master = name === 'master_pl_name' ? alias : null
  if (master !== null) {
    return { reading, findings: [inspectMaster(master, token)], outputsAs: 'name' }
  }
  if (folder?.isPlaylist === true && isInVariableFolder(text)) {
    return { reading, findings: [refused('command_forbidden', token, folderNotMade(text))] }
  }
  const { path, prefix } = companionPath(name, text, folder)
  const address = keyAddress(name, flag, text)
  return {
    reading,
    findings: address.length > 0 ? address : [namedFile(text, 'companion', token, path)],
    insertions: prefix === '' ? [] : [{ at: 0, text: prefix }],
  }
}

/** Segments of this format are stored in the zip of OUTPUT_FOLDER alone, which no player opens. */
function segmentList(alias: string, range: SourceRange): Finding {
  const playlist = isPlaylistAlias(alias) ? alias : 'out_playlist_1'
  return refused(
    'command_alias',
    range,
    (place) => `${place} cannot be the list of -f segment; ${playableRemedy(playlist)}`,
  )
}

/** The dash muxer makes no folders, and which ones it needs shows while it runs. */
function folderNotMade(name: string): (place: string) => string {
  return (place) =>
    `${place} lies in a folder that FFmpeg does not make; write a bare name, as ${name.replaceAll('/', '_')}`
}

/** FFmpeg writes the key to this address before it puts the address into the playlist. */
function keyAddress(name: string, flag: Reading, value: string): Finding[] {
  if (name !== 'hls_enc_key_url' || pathProblem(value) === null) return []
  const sentence = (place: string): string =>
    `Option ${place} is for network access, which FFmpeg does not have here; give the key a bare name`
  return [refused('command_forbidden', flag.token, sentence)]
}

/** FFmpeg itself puts the master's bare name beside or above the variants. */
function inspectMaster(alias: string, range: SourceRange): Finding {
  if (isPlaylistAlias(alias)) return used(alias, 'output', range)
  return refused(
    'command_alias',
    range,
    (place) =>
      `Option '-master_pl_name' writes a playlist, so its alias begins with 'out_playlist_', unlike ${place}`,
  )
}
