import { walkArguments, type Group } from '../grammar/arguments.ts'
import { refused, type Finding } from '../model/findings.ts'
import { wantedLog } from '../model/log-level.ts'
import type { StoredLog } from '../model/plan.ts'
import { earliest, type Refusal } from '../model/refusal.ts'
import type { StepContext } from '../model/step-context.ts'
import { inspectGroup } from '../policy/inspect-group.ts'
import { inspectOutputFile } from '../policy/inspect-output-file.ts'
import { resolveArgument } from '../policy/resolve-argument.ts'
import { isProgramName } from '../read/mistakes-at-start.ts'
import { pastedTokens } from '../read/pasted-tokens.ts'
import type { Redirected } from '../read/redirections.ts'
import { shellMistake, written } from '../read/shell-mistakes.ts'
import { plainReading } from '../read/reading.ts'
import { splitCommand, type Token } from '../read/tokens.ts'
import { factsOf, type LoneStep } from '../steps/step-facts.ts'
import { certainFailure } from './certain-failure.ts'
import { stepRefusal } from './step-refusal.ts'

export type PlannedStep =
  | { ok: true; step: LoneStep; writes: readonly string[] }
  /** `writes`: what it would write, as far as the command line shows. */
  | { ok: false; refusal: Refusal; writes: readonly string[] }

/** Plans one command. */
export function planStep(context: StepContext): PlannedStep {
  const read = argumentsOf(context.source)
  if (!read.ok) return { ...read, writes: [] }
  const walk = walkArguments(read.tokens)
  if (!walk.ok) return { ...walk, writes: [] }
  const inspected = walk.groups.map((group) => inspectGroup(group, context))
  const groups = inspected.map(({ group }) => group)
  const log = read.log === null ? null : inspectLog(read.log, walk.groups, context)
  const findings = inspected.flatMap((group) => group.findings).concat(log?.findings ?? [])
  // A mistake in a single argument explains more.
  const refusal =
    stepRefusal(groups, findings, context) ?? certainFailure(walk.groups, context.files)
  const facts = factsOf(findings, context.source)
  const { writes } = facts
  if (refusal !== null) return { ok: false, refusal, writes }
  const dropped = inspected.flatMap((group) => group.dropped)
  const readsList = groups.some(({ kind, format }) => kind === 'input' && format === 'concat')
  return {
    ok: true,
    step: { groups, dropped, log: log?.stored ?? null, ...facts, readsList },
    writes,
  }
}

type CommandWords =
  { ok: true; tokens: readonly Token[]; log: Redirected['log'] } | { ok: false; refusal: Refusal }

/** Without the program's name and what is pasted around a command and changes nothing. */
function argumentsOf(source: string): CommandWords {
  const splitting = splitCommand(source)
  if (!splitting.ok) return splitting
  const { tokens, log, refusal } = pastedTokens(splitting.tokens, source)
  const mistake = shellMistake(tokens, source)
  const first = earliest([refusal, mistake].filter((each) => each !== null))
  if (first !== null) return { ok: false, refusal: first }
  const [program, ...rest] = tokens
  const isNamed = program !== undefined && isProgramName(written(program, source))
  return { ok: true, tokens: isNamed ? rest : tokens, log }
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
