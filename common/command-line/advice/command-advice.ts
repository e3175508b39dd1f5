import { missingGlyphs } from './missing-glyphs.ts'
import { oddSizes } from './odd-sizes.ts'
import { unknownFilters } from './unknown-filters.ts'
import { unknownMediaNames } from './unknown-media-names.ts'
import type { WarningCode } from '../../domain/command-warnings.ts'
import type { CommandPlan, StepPlan } from '../model/plan.ts'

/** What is probably a mistake in a command that is accepted. */
export interface Advice {
  /** The code of the warning in the record; null for what is said at submission alone. */
  readonly code: WarningCode | null
  readonly message: string
  readonly alias: string | null
}

/** What the plan leaves unsaid. */
export interface AdvisedCommand {
  readonly chained: boolean
  /** Keys of `input_files`. */
  readonly declaredInputs: readonly string[]
}

/** Pure: a submission, a dry run and the runner say the same of one text. */
export function commandAdvice(plan: CommandPlan, command: AdvisedCommand): Advice[] {
  return [
    ...unusedInputs(plan, command.declaredInputs),
    ...plan.steps.flatMap((step) => {
      const place = placeOf(step, command.chained)
      return [
        ...stepTexts.flatMap((textsOf) => textsOf(step, place)).map((text) => general(text)),
        ...missingGlyphs(step, place).map((message) => glyphs(message)),
      ]
    }),
  ]
}

export function placeOf({ index }: StepPlan, chained: boolean): string {
  return chained ? ` in command ${index}` : ''
}

const stepTexts: readonly ((step: StepPlan, place: string) => string[])[] = [
  doubtfulSizes,
  misspeltFilters,
  absentMediaNames,
]

function general(message: string): Advice {
  return { code: null, message, alias: null }
}

function glyphs(message: string): Advice {
  return { code: 'MISSING_GLYPHS', message, alias: null }
}

/** One sentence for all: 200 inputs may be declared, and a header carries the warnings too. */
function unusedInputs({ usedInputs }: CommandPlan, declared: readonly string[]): Advice[] {
  const unused = declared.filter((alias) => !usedInputs.includes(alias))
  const [alias] = unused
  if (alias === undefined) return []
  const named = unused.slice(0, mostNamed).join(', ')
  const more = unused.length - mostNamed
  const sentence =
    unused.length === 1
      ? `${alias} is not used by any command; it will not be fetched`
      : `${named}${more > 0 ? ` and ${String(more)} more` : ''} are not used by any command; they will not be fetched`
  return [general(sentence)]
}

const mostNamed = 5

function doubtfulSizes(step: StepPlan, place: string): string[] {
  return oddSizes(step).map(
    ({ written, even, encoder }) =>
      `${written}${place} has an odd side, which ${encoder} does not take with 4:2:0 video; write ${even}`,
  )
}

function misspeltFilters(step: StepPlan, place: string): string[] {
  return unknownFilters(step).map(
    ({ name, nearest }) => `FFmpeg has no filter '${name}'${place}${meant(nearest)}`,
  )
}

function absentMediaNames(step: StepPlan, place: string): string[] {
  return unknownMediaNames(step).map(
    ({ kind, name, nearest }) => `FFmpeg has no ${kind} '${name}'${place}${meant(nearest)}`,
  )
}

function meant(nearest: string | null): string {
  return nearest === null ? '' : `; did you mean '${nearest}'?`
}
