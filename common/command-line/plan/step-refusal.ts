import { isInputAlias, isOutputAlias } from '../model/alias.ts'
import { usesIn, type Finding } from '../model/findings.ts'
import type { ArgumentGroup, PlaceholderRole } from '../model/plan.ts'
import { mentionedPlaceholders } from '../model/placeholders.ts'
import type { Refusal } from '../model/refusal.ts'
import type { AliasLedger, StepContext, SubmittedFiles } from '../model/step-context.ts'

/** Mistakes of a command in its arguments and in its use of aliases. */
export function stepRefusals(findings: readonly Finding[], context: StepContext): Refusal[] {
  const refusals = findings.flatMap((found) => (found.kind === 'refusal' ? [found.refusal] : []))
  return [...refusals, ...aliasRefusals(findings, context)]
}

/** The first use of each alias that is not declared, in a text that has other mistakes, too. */
export function undeclaredAliases({ source, files }: StepContext): Refusal[] {
  const first = new Map<string, Refusal>()
  for (const { alias, ...range } of mentionedPlaceholders(source)) {
    if (isDeclared(alias, files) || first.has(alias)) continue
    first.set(alias, { type: 'command_alias', range, sentence: unknown(alias, files) })
  }
  return [...first.values()]
}

function isDeclared(alias: string, { inputs, outputs }: SubmittedFiles): boolean {
  return inputs.has(alias) || outputs.has(alias)
}

/** One step writes an output, only later ones read it, and nothing writes an input. */
function aliasRefusals(findings: readonly Finding[], { files, ledger }: StepContext): Refusal[] {
  const writtenHere = new Set<string>()
  const named = new Set<string>()
  return usesIn(findings).flatMap(({ alias, role, range }) => {
    const isUnknown = !isDeclared(alias, files)
    if (isUnknown && named.has(alias)) return []
    named.add(alias)
    const sentence = isUnknown ? unknown(alias, files) : misuse(alias, role, ledger, writtenHere)
    if (role === 'output') writtenHere.add(alias)
    return sentence === null ? [] : [{ type: 'command_alias' as const, range, sentence }]
  })
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
    if (alias.toUpperCase() === 'OUTPUT_FOLDER') {
      if (files.chained)
        return `${place} is not an alias; a chain declares each file in output_files`
      return `${place} is not an alias; set output_files to "OUTPUT_FOLDER" and write the bare name of the file or pattern, as t_%03d.jpg`
    }
    if (nearest !== undefined) return `${start}; did you mean '${nearest}'?`
    if (files.inputFolder && isInputAlias(alias)) {
      return `${start}; files of a zip are written by their names in it`
    }
    if (files.outputFolder && isOutputAlias(alias)) {
      return `${start}; with OUTPUT_FOLDER outputs are written by names of your choice`
    }
    if (declared.every(isInputAlias) && isOutputAlias(alias)) {
      return `${start}; declare it in output_files, as "${alias}": "result.mp4"`
    }
    return `${start}; declared: ${declared.length === 0 ? 'none' : declared.join(', ')}`
  }
}

/** Other mistakes may have hidden the output. */
export function withoutOutput(
  groups: readonly ArgumentGroup[],
  { source: { length: end } }: StepContext,
): Refusal | null {
  if (groups.some(({ kind }) => kind === 'output')) return null
  return {
    type: 'command_alias',
    range: { from: end, to: end },
    sentence: () =>
      'The command has no output; end it with an alias of output_files, as {{out_1}}, or with -f null - where its log is the result',
  }
}
