import { walkArguments, type Group } from '../grammar/arguments.ts'
import { refused, type Finding } from '../model/findings.ts'
import { wantedLog } from '../model/log-level.ts'
import type { StoredLog } from '../model/plan.ts'
import { inOrder, type Refusal } from '../model/refusal.ts'
import type { StepContext } from '../model/step-context.ts'
import { inspectGroup, type InspectedGroup } from '../policy/inspect-group.ts'
import { inspectOutputFile } from '../policy/inspect-output-file.ts'
import { resolveArgument } from '../policy/resolve-argument.ts'
import { isProgramName } from '../read/mistakes-at-start.ts'
import { pastedTokens } from '../read/pasted-tokens.ts'
import type { Redirected } from '../read/redirections.ts'
import { shellMistakes, written } from '../read/shell-mistakes.ts'
import { plainReading } from '../read/reading.ts'
import { splitCommand, type Token } from '../read/tokens.ts'
import { factsOf, type LoneStep } from '../steps/step-facts.ts'
import { certainFailure } from './certain-failure.ts'
import { stepRefusals, undeclaredAliases, withoutOutput } from './step-refusal.ts'

export type PlannedStep =
  | { ok: true; step: LoneStep; writes: readonly string[] }
  /** `writes`: what it would write, as far as the command line shows. */
  | { ok: false; refusals: readonly Refusal[]; writes: readonly string[] }

/** Plans one command. */
export function planStep(context: StepContext): PlannedStep {
  const read = argumentsOf(context.source)
  if (read.tokens === null) return refusing(read.refusals, context)
  const walk = walkArguments(read.tokens)
  if (!walk.ok) {
    // An operator has cut off the value of the last word.
    const last = read.refusals.length === 0 ? undefined : read.tokens.at(-1)
    const flags = walk.refusals.filter(({ range }) => range.from !== last?.from)
    return refusing([...read.refusals, ...flags], context)
  }
  const inspected = walk.groups.map((group) => inspectGroup(group, context))
  const groups = inspected.map(({ group }) => group)
  const log = read.log === null ? null : inspectLog(read.log, walk.groups, context)
  const findings = inspected
    .flatMap((group, index) => (isRestOfText(inspected, index) ? [] : group.findings))
    .concat(log?.findings ?? [])
  const refusals = [...read.refusals, ...stepRefusals(findings, context)]
  const facts = factsOf(findings, context.source)
  const { writes } = facts
  if (refusals.length > 0) return refusing(refusals, context, writes)
  // A mistake in a single argument explains more.
  const failure = withoutOutput(groups, context) ?? certainFailure(walk.groups, context.files)
  if (failure !== null) return refusing([failure], context, writes)
  const dropped = inspected.flatMap((group) => group.dropped)
  const readsList = groups.some(({ kind, format }) => kind === 'input' && format === 'concat')
  return {
    ok: true,
    step: { groups, dropped, log: log?.stored ?? null, ...facts, readsList },
    writes,
  }
}

/** Words without options behind an output that is refused are the rest of a text that lacks its quotes: `My Movie Part 2`. */
function isRestOfText(inspected: readonly InspectedGroup[], index: number): boolean {
  const [before, here] = [inspected[index - 1], inspected[index]]
  if (before?.group.kind !== 'output' || here?.group.kind !== 'output') return false
  return here.group.options.length === 0 && isRefused(before) && isRefused(here)
}

function isRefused({ findings }: InspectedGroup): boolean {
  return findings.some(({ kind }) => kind === 'refusal')
}

function refusing(
  refusals: readonly Refusal[],
  context: StepContext,
  writes: readonly string[] = [],
): PlannedStep {
  return { ok: false, refusals: inOrder([...refusals, ...undeclaredAliases(context)]), writes }
}

type CommandWords = {
  /** null if a mistake makes the words behind it another command, or none. */
  tokens: readonly Token[] | null
  log: Redirected['log']
  refusals: readonly Refusal[]
}

/** Without the program's name and what is pasted around a command and changes nothing. */
function argumentsOf(source: string): CommandWords {
  const splitting = splitCommand(source)
  if (!splitting.ok) return { tokens: null, log: null, refusals: [splitting.refusal] }
  const { tokens, log, refusal } = pastedTokens(splitting.tokens, source)
  const { refusals: mistakes, before } = shellMistakes(tokens, source)
  const refusals = refusal === null ? mistakes : [refusal, ...mistakes]
  const [program, ...rest] = before ?? []
  const isNamed = program !== undefined && isProgramName(written(program, source))
  return { tokens: isNamed ? rest : before, log, refusals }
}

/** The log is an output as any other; FFmpeg does not get its name, since the service writes it. */
function inspectLog(
  { file, operator }: NonNullable<Redirected['log']>,
  groups: readonly Group[],
  context: StepContext,
): { stored: StoredLog; findings: Finding[] } {
  const reading = plainReading(file)
  const { findings } = inspectOutputFile(reading.text, null, reading.token, context.files)
  const named = findings.map((finding) =>
    finding.kind === 'refusal' && !context.files.outputFolder
      ? refused('command_syntax', operator, (place) => undeclaredLog(place, reading.text))
      : finding,
  )
  const { text } = resolveArgument({ reading, findings: named }, context)
  const level = groups
    .flatMap(({ options }) => options)
    .findLast(({ name }) => name === 'loglevel' || name === 'v')?.value
  const wanted = wantedLog(level ? plainReading(level).text : null)
  // An input in its place is refused with all other uses of aliases.
  const path = (text ?? []).map((part) => (typeof part === 'string' ? part : part.input)).join('')
  return { stored: { ...wanted, path }, findings: named }
}

function undeclaredLog(place: string, name: string): string {
  return `${place} stores FFmpeg's log, but '${name}' is not a declared output: name it in output_files, as "out_1": "log.txt", and write 2> {{out_1}}; what FFmpeg prints is in the logs, too`
}
