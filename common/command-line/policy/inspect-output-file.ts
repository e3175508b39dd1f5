import { named, refused, used, type Finding } from '../model/findings.ts'
import { isPattern } from '../model/name-pattern.ts'
import { isPlaylistAlias } from '../model/output-name.ts'
import { isProgramAlone } from '../read/mistakes-at-start.ts'
import { pathProblem, protocolProblem } from '../grammar/path-policy.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import {
  placeholderRemedy,
  playableRemedy,
  protocolOutputProblem,
  quotesRemedy,
} from '../remedies/output-remedies.ts'
import type { SourceRange } from '../model/refusal.ts'
import type { SubmittedFiles } from '../model/step-context.ts'

/** Folder of FFmpeg's companion files of an output; null when it is the working directory. */
export type OutputFolder = {
  path: string
  /** The playlist has the folder to itself, so names are given within it; else a name may have its own folder. */
  isPlaylist: boolean
} | null

/**
 * One output file, of a command or of a leg of `tee`.
 * @param isBehindText the word before it ends a text without quotes, which may go on here
 */
export function inspectOutputFile(
  text: string,
  format: string | null,
  range: SourceRange,
  files: SubmittedFiles,
  isBehindText = false,
): { findings: Finding[]; folder: OutputFolder } {
  const alias = wholePlaceholder(text)
  if (alias !== null) {
    const folder = isPlaylistAlias(alias) ? { path: alias, isPlaylist: true } : null
    return { findings: [used(alias, 'output', range)], folder }
  }
  if (isNullSink(text, format)) return { findings: [], folder: null }
  const refusal = bareOutputRefusal(text, range, files, isBehindText)
  if (refusal !== null) return { findings: [refusal], folder: null }
  const parent = text.includes('/') ? text.slice(0, text.lastIndexOf('/')) : null
  return {
    findings: [named(text, 'write', range)],
    folder: parent === null ? null : { path: parent, isPlaylist: false },
  }
}

/** Name that FFmpeg gets for an output: Windows' null device would be a file here. */
export function outputText(text: string, format: string | null): string {
  return isWindowsNull(text) && isNullSink(text, format) ? '/dev/null' : text
}

function isNullSink(text: string, format: string | null): boolean {
  if (text === '/dev/null' || isWindowsNull(text)) return format !== null && !renames.has(format)
  if (format !== 'null') return false
  // This muxer opens no file for any name: `-f null out.null` in FFmpeg's own manual.
  return text === '-' || /^[\w.-]+$/.test(text)
}

/** They write beside the name and rename that: outside a sandbox `/dev/null` would be gone. */
const renames: ReadonlySet<string> = new Set(['hls', 'dash', 'smoothstreaming', 'hds', 'fifo'])

/** Cheat sheets for Windows end the first of two passes with it; the case does not matter there. */
function isWindowsNull(text: string): boolean {
  return /^nul:?$/i.test(text)
}

function bareOutputRefusal(
  text: string,
  range: SourceRange,
  files: SubmittedFiles,
  isBehindText: boolean,
): Finding | null {
  if (text === '') {
    return refused('command_syntax', range, (place) => `An output has an empty name: ${place}`)
  }
  if (text.includes('{{')) {
    return refused(
      'command_alias',
      range,
      (place) =>
        `An output is one placeholder and nothing else, not as in ${place}${placeholderRemedy(text, files)}`,
    )
  }
  if (text.startsWith('#')) {
    return refused(
      'command_syntax',
      range,
      (place) => `A command has no comments as in a shell: remove ${place} and what follows it`,
    )
  }
  if (isProgramAlone(text)) {
    return refused(
      'command_syntax',
      range,
      (place) => `${place} begins a second command; send both as a chain of commands`,
    )
  }
  const problem = pathProblem(text)
  if (problem !== null) {
    const reason = problem === protocolProblem ? protocolOutputProblem(text) : problem
    const orQuotes = isBehindText && !reason.includes(quotesRemedy) ? `, or ${quotesRemedy}` : ''
    return refused('command_forbidden', range, (place) => `${place} ${reason}${orQuotes}`)
  }
  if (files.outputFolder || (files.chained && isPattern(text))) return null
  return refused(
    'command_alias',
    range,
    (place) =>
      `${place} stands where FFmpeg expects an output, but is not a declared one; ${outputHint(text, files)}`,
  )
}

function outputHint(text: string, files: SubmittedFiles): string {
  if (text.includes('%v')) {
    return 'declare the master playlist, write it as -master_pl_name {{out_playlist_1}}, and leave this name as it is'
  }
  const playlist = [...files.outputs.keys()].find(isPlaylistAlias)
  if (/%\d*d/.test(text) && playlist !== undefined) return playableRemedy(playlist)
  if (!files.chained && /%\d*d/.test(text)) {
    return 'it is a pattern: set output_files to "OUTPUT_FOLDER" and leave it as it is'
  }
  const declared = [...files.outputs.values()]
  if (declared.length === 0) {
    return `declare it in output_files, as "out_1": "${text.split('/').at(-1)}", and write {{out_1}}`
  }
  const meant = declared.find(({ alias, name }) => name === text || alias === text)
  const example = meant?.alias ?? declared[0]?.alias ?? 'out_1'
  return `write its alias, as {{${example}}}, or ${quotesRemedy}`
}
