import {
  named,
  refused,
  used,
  type FileRole,
  type Finding,
  type NamedFile,
} from '../model/findings.ts'
import { isImageFont, pathProblem, protocolProblem } from '../grammar/path-policy.ts'
import { bySimilarity, readsPattern } from '../model/name-pattern.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import { fontRemedy } from '../remedies/font-remedies.ts'
import { protocolOutputProblem } from '../remedies/output-remedies.ts'
import type { SourceRange } from '../model/refusal.ts'
import type { StepContext } from '../model/step-context.ts'

/**
 * Checks a place that holds nothing but a file's name: one placeholder, or a bare relative name.
 * @returns null for a name that stands for no file of the command
 */
export function inspectNamedFile(
  { text, role, range, path }: NamedFile,
  context: StepContext,
): Finding | null {
  const alias = wholePlaceholder(text)
  if (alias !== null) return inspectAlias(alias, role, range, context.files.chained)
  if (text.includes('{{')) {
    return refused(
      'command_alias',
      range,
      (place) =>
        `A placeholder stands alone where a file is named, not as in ${place}${quotesRemedy(text)}`,
    )
  }
  if (text === '') return null
  const access = role === 'result' || role === 'companion' ? 'write' : 'read'
  if (role === 'font' && (isImageFont(text) || isWorkingFolder(text))) return null
  const problem = pathProblem(text)
  if (problem !== null) {
    const remedy = role === 'font' ? `; ${fontRemedy}` : ''
    const isOutput = access === 'write' && problem === protocolProblem
    const reason = isOutput ? protocolOutputProblem(text) : problem
    return refused('command_forbidden', range, (place) => `${place} ${reason}${remedy}`)
  }
  const isHandedOn = context.patterns.some((pattern) => readsPattern(text, pattern))
  if (access === 'read' && role !== 'working' && !context.readsNames && !isHandedOn) {
    return refused(
      'command_alias',
      range,
      (place) => `${place} is not a declared file; ${remedyFor(text, role, context)}`,
    )
  }
  return named(path, access)
}

function remedyFor(text: string, role: FileRole, context: StepContext): string {
  const { files, ledger, patterns } = context
  const written = [...files.outputs.values()].find(
    ({ alias, name }) => ledger.has(alias) && [name, `./${name}`, alias].includes(text),
  )
  if (written !== undefined) {
    return `it is the output of an earlier command; write its alias, {{${written.alias}}}`
  }
  if (role === 'font') return fontRemedy
  const isPatternOfInputs = /%\d*d|[*?]/.test(text)
  if (files.chained && isPatternOfInputs) return unwrittenPattern(text, patterns)
  return isPatternOfInputs
    ? 'a pattern reads the files of a zip: send its URL as input_compressed_folder'
    : `declare it in input_files and write its alias, as {{in_1}}${files.chained ? '; a file of an earlier command is declared in output_files and read as {{out_1}}' : ''}`
}

function unwrittenPattern(text: string, patterns: readonly string[]): string {
  if (patterns.length === 0) {
    return 'no earlier command writes this pattern; one that does hands its files on under the same name'
  }
  const written = bySimilarity(text, patterns).slice(0, shownPatterns)
  const names = written.map((pattern) => `'${pattern}'`).join(', ')
  return `no earlier command writes this pattern; written: ${names}`
}

const shownPatterns = 3

/**
 * The folder where libass searches for fonts: people write it beside a file of subtitles, with or
 * without fonts.
 */
function isWorkingFolder(text: string): boolean {
  return text === '.' || text === './'
}

function inspectAlias(
  alias: string,
  role: FileRole,
  range: SourceRange,
  chained: boolean,
): Finding {
  if (role !== 'companion') return used(alias, role === 'result' ? 'output' : 'reference', range)
  const remedy = chained
    ? 'give a bare name, which a chain does not store'
    : 'give a bare name, and set output_files to "OUTPUT_FOLDER" if it is to be stored'
  return refused(
    'command_alias',
    range,
    (place) => `${place} stands where FFmpeg writes a file beside the output; ${remedy}`,
  )
}

/** `subtitles=\"{{in_2}}\"`, quoted twice as in a text of JSON: FFmpeg knows apostrophes only. */
function quotesRemedy(text: string): string {
  return /"\{\{[^{}]*\}\}"/.test(text) ? '; remove the quotes around it' : ''
}
