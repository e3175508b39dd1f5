import { isInputAlias, isOutputAlias } from '../model/alias.ts'
import { usesIn, type Finding } from '../model/findings.ts'
import type { PlaceholderRole } from '../model/plan.ts'
import type { Refusal } from '../model/refusal.ts'
import type { SubmittedFiles } from '../model/submitted-files.ts'

/** Which command has written which output: alias to index; null: perhaps one that has a mistake. */
export type AliasLedger = ReadonlyMap<string, number | null>

/** One step writes an output, only later ones read it, and nothing writes an input. */
export function checkAliases(
  findings: readonly Finding[],
  files: SubmittedFiles,
  ledger: AliasLedger,
): Refusal[] {
  const writtenHere = new Set<string>()
  return usesIn(findings).flatMap(({ alias, role, range }) => {
    const sentence = isDeclared(alias, files)
      ? misuse(alias, role, ledger, writtenHere)
      : unknown(alias, files)
    if (role === 'output') writtenHere.add(alias)
    return sentence === null ? [] : [{ type: 'command_alias' as const, range, sentence }]
  })
}

function isDeclared(alias: string, files: SubmittedFiles): boolean {
  return files.inputs.has(alias) || files.outputs.has(alias)
}

function misuse(
  alias: string,
  role: PlaceholderRole,
  ledger: AliasLedger,
  writtenHere: ReadonlySet<string>,
): Refusal['sentence'] | null {
  if (role !== 'output') {
    if (isInputAlias(alias) || ledger.has(alias)) return null
    // An option that FFmpeg does not know, or that lacks its value, takes the output for its value.
    const hint =
      role === 'reference' ? '; is an option in front of it misspelt or without its value?' : ''
    return (place) => `Alias '${alias}' in ${place} is read before a command writes it${hint}`
  }
  if (isInputAlias(alias)) {
    return (place) => `Alias '${alias}' in ${place} is an input, but stands where a file is written`
  }
  const writer = ledger.get(alias) ?? null
  if (writer !== null) {
    return (place) =>
      `Alias '${alias}' in ${place} is written by command ${writer} already; declare one alias per file, and end a first pass with -f null /dev/null`
  }
  if (writtenHere.has(alias)) {
    return (place) => `Alias '${alias}' in ${place} is written twice; declare one alias per file`
  }
  return null
}

function unknown(alias: string, files: SubmittedFiles): Refusal['sentence'] {
  const declared = [...files.inputs, ...files.outputs.keys()]
  const nearest = declared.find((other) => other.toLowerCase() === alias.toLowerCase())
  return (place) => {
    const start = `Unknown alias '${alias}' in ${place}`
    if (nearest !== undefined) return `${start}; did you mean '${nearest}'?`
    if (files.inputFolder && isInputAlias(alias)) {
      return `${start}; files of a zip are written by their names in it`
    }
    if (files.outputFolder && isOutputAlias(alias)) {
      return `${start}; with OUTPUT_FOLDER outputs are written by names of your choice`
    }
    return `${start}; declared: ${declared.length === 0 ? 'none' : declared.join(', ')}`
  }
}
