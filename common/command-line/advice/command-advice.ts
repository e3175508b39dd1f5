import { missingGlyphs } from '../fonts/missing-glyphs.ts'
import { oddSizes } from './odd-sizes.ts'
import type { Advice } from './advice.ts'
import { recordedAdvice } from './recorded-advice.ts'
import { absentFonts } from '../fonts/absent-fonts.ts'
import { oddCharacters, type OddCharacter } from './odd-characters.ts'
import { fontRemedy } from '../remedies/font-remedies.ts'
import { visibleText } from '../remedies/visible-text.ts'
import { unknownFilters } from './unknown-filters.ts'
import { unknownMediaNames } from './unknown-media-names.ts'
import type { CommandPlan, StepPlan } from '../model/plan.ts'

/** Facts that the plan does not hold. */
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
        ...recordedAdvice(step, place),
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
  doubtfulCharacters,
  otherFonts,
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
    ({ name, nearest }) => `FFmpeg has no filter '${visibleText(name)}'${place}${meant(nearest)}`,
  )
}

function absentMediaNames(step: StepPlan, place: string): string[] {
  return unknownMediaNames(step).map(
    ({ kind, name, nearest, isSubstitute }) =>
      `FFmpeg has no ${kind} '${visibleText(name)}'${place}${isSubstitute ? `; use '${nearest}'` : meant(nearest)}`,
  )
}

function meant(nearest: string | null): string {
  return nearest === null ? '' : `; did you mean '${nearest}'?`
}

function doubtfulCharacters(step: StepPlan, place: string): string[] {
  return oddCharacters(step).map(
    ({ where, found, kind }) => `${where}${place} holds ${doubts[kind](found)}`,
  )
}

const doubts: Readonly<Record<OddCharacter['kind'], (found: string) => string>> = {
  entity: (found) => `'${found}', as text escaped for HTML does; send the command unescaped`,
  inkless: (found) => `the character ${found}, which cannot be seen; remove it`,
  quote: (found) =>
    `the typographic quote ${found}, which is drawn; write ' if it is to be a quote`,
}

function otherFonts(step: StepPlan, place: string): string[] {
  return absentFonts(step).map(
    (path) =>
      `The font '${path}'${place} is probably not in the image, and FFmpeg then draws with another one; ${fontRemedy}`,
  )
}
