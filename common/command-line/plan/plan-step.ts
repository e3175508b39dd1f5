import { walkArguments } from '../grammar/arguments.ts'
import type { Refusal } from '../model/refusal.ts'
import type { StepContext } from '../model/step-context.ts'
import { inspectGroup } from '../policy/inspect-group.ts'
import { isProgramName } from '../read/mistakes-at-start.ts'
import { pastedTokens } from '../read/pasted-tokens.ts'
import { shellMistake, written } from '../read/shell-mistakes.ts'
import { splitCommand, type Splitting } from '../read/tokens.ts'
import { factsOf, type LoneStep } from './step-facts.ts'
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
  const findings = inspected.flatMap((group) => group.findings)
  const refusal = stepRefusal(groups, findings, context)
  const facts = factsOf(findings, context.source)
  const { writes } = facts
  if (refusal !== null) return { ok: false, refusal, writes }
  const dropped = inspected.flatMap((group) => group.dropped)
  const readsList = groups.some(({ kind, format }) => kind === 'input' && format === 'concat')
  return { ok: true, step: { groups, dropped, ...facts, readsList }, writes }
}

/** Without the program's name and what is pasted around a command and changes nothing. */
function argumentsOf(source: string): Splitting {
  const splitting = splitCommand(source)
  if (!splitting.ok) return splitting
  const tokens = pastedTokens(splitting.tokens, source)
  const refusal = shellMistake(tokens, source)
  if (refusal !== null) return { ok: false, refusal }
  const [first, ...rest] = tokens
  const isNamed = first !== undefined && isProgramName(written(first, source))
  return { ok: true, tokens: isNamed ? rest : tokens }
}
