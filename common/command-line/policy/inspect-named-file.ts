import {
  named,
  refused,
  used,
  type FileRole,
  type Finding,
  type NamedFile,
} from '../model/findings.ts'
import { isImageFont, pathProblem } from '../grammar/path-policy.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import type { SourceRange } from '../model/refusal.ts'

/**
 * Checks a place that holds nothing but a file's name: one placeholder, or a bare relative name.
 * @returns null for a name that stands for no file of the command
 */
export function inspectNamedFile(
  { text, role, range, path }: NamedFile,
  readsNames: boolean,
): Finding | null {
  const alias = wholePlaceholder(text)
  if (alias !== null) return inspectAlias(alias, role, range)
  if (text.includes('{{')) {
    return refused(
      'command_alias',
      range,
      (place) =>
        `A placeholder stands alone where a file is named, not as in ${place}${quotesRemedy(text)}`,
    )
  }
  if (text === '') return null
  if (role === 'font' && (isImageFont(text) || isWorkingFolder(text))) return null
  const problem = pathProblem(text)
  if (problem !== null) {
    const remedy = role === 'font' && problem.includes('absolute') ? `; ${fontRemedy}` : ''
    return refused('command_forbidden', range, (place) => `${place} ${problem}${remedy}`)
  }
  const access = role === 'result' || role === 'companion' ? 'write' : 'read'
  if (access === 'read' && role !== 'working' && !readsNames) {
    return refused(
      'command_alias',
      range,
      (place) => `${place} is not a declared file; ${remedyFor(text, role)}`,
    )
  }
  return named(path, access)
}

const fontRemedy =
  'send the font as an input and write its alias, as {{in_2}}, or name one by font=Sans'

function remedyFor(text: string, role: FileRole): string {
  if (role === 'font') return fontRemedy
  return /%\d*d|[*?]/.test(text)
    ? 'a pattern reads the files of a zip: send its URL as input_compressed_folder'
    : 'declare it in input_files and write its alias, as {{in_1}}'
}

/**
 * The folder where libass searches for fonts: people write it beside a file of subtitles, with or
 * without fonts.
 */
function isWorkingFolder(text: string): boolean {
  return text === '.' || text === './'
}

function inspectAlias(alias: string, role: FileRole, range: SourceRange): Finding {
  if (role !== 'companion') return used(alias, role === 'result' ? 'output' : 'reference', range)
  return refused(
    'command_alias',
    range,
    (place) =>
      `${place} stands where FFmpeg writes a file beside the output; give a bare name, and set output_files to "OUTPUT_FOLDER" if it is to be stored`,
  )
}

/** `subtitles=\"{{in_2}}\"`, quoted twice as in a text of JSON: FFmpeg knows apostrophes only. */
function quotesRemedy(text: string): string {
  return /"\{\{[^{}]*\}\}"/.test(text) ? '; remove the quotes around it' : ''
}
