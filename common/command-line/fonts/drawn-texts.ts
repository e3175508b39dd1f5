import type { FilterUse } from '../grammar/filter-graph.ts'
import { filterOptionName } from '../policy/filter-files.ts'
import type { StepPlan } from '../model/plan.ts'
import { stepFilters } from '../steps/step-filters.ts'

/** Text of a filter drawtext, as far as the command has it. */
export interface DrawnText {
  /** Without what is replaced for each frame, such as `%{pts}`. */
  readonly text: string
  /** null where the command names none. */
  readonly font: string | null
}

/** Texts that stand in the command; not those from files, nor those in a font of the user's. */
export function drawnTexts(step: StepPlan): DrawnText[] {
  return stepFilters(step)
    .filter(({ name }) => name === 'drawtext')
    .flatMap(drawnBy)
}

function drawnBy({ name, arguments: given }: FilterUse): DrawnText[] {
  const options = new Map(
    given.map(({ key, value }, at) => [filterOptionName(name, key, at), value]),
  )
  const text = options.get('text')
  if (text === undefined || options.has('fontfile') || options.has('textfile')) return []
  const shown = expanded(text, options.get('expansion') ?? 'normal')
  return [{ text: shown, font: options.get('font') ?? null }]
}

/** With `expansion=normal`, the default, a backslash takes away the meaning of what follows it. */
function expanded(text: string, expansion: string): string {
  if (expansion === 'none') return text
  if (expansion === 'strftime') return text.replace(/%./gs, '')
  return text.replace(/\\(.)|%\{(?:[^\\}]|\\.)*\}/gs, (_, escaped?: string) => escaped ?? '')
}
