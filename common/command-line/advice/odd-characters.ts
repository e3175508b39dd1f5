import type { FilterUse } from '../grammar/filter-graph.ts'
import { filterOptions } from '../grammar/option-table.ts'
import type { PlannedOption, StepPlan } from '../model/plan.ts'
import { entityIn } from '../remedies/escaped-text.ts'
import { inklessIn } from '../remedies/visible-text.ts'
import { stepFilters, writtenText } from '../steps/step-filters.ts'

export interface OddCharacter {
  /** `-metadata`, or `text of drawtext`. */
  readonly where: string
  /** `&quot;`, `U+200B` or `“`. */
  readonly found: string
  readonly kind: 'entity' | 'inkless' | 'quote'
}

/**
 * Characters in values that are probably left over from where the command was copied from: entities of
 * HTML, characters without ink, and typographic quotes around a text that is drawn.
 */
export function oddCharacters(step: StepPlan): OddCharacter[] {
  const options = step.groups.flatMap((group) => group.options)
  return [...options.flatMap(oddInOption), ...stepFilters(step).flatMap(oddInFilter)]
}

function oddInOption({ flag, name, value }: PlannedOption): OddCharacter[] {
  if (value === null) return []
  const text = writtenText(value)
  const entity = entityIn(text)
  if (entity !== null) return [{ where: flag, found: entity, kind: 'entity' }]
  const isText = filterOptions.has(name) || name === 'metadata'
  const inkless = isText ? null : inklessIn(text)
  return inkless === null ? [] : [{ where: flag, found: inkless, kind: 'inkless' }]
}

function oddInFilter(filter: FilterUse): OddCharacter[] {
  return filter.arguments.flatMap(({ key, value }): OddCharacter[] => {
    const where = `${key === null ? 'the value' : `'${key}'`} of ${filter.name}`
    if (key === 'text') {
      const quote = quotedWhole.exec(value)?.[1]
      return quote === undefined ? [] : [{ where, found: quote, kind: 'quote' }]
    }
    const inkless = inklessIn(value)
    return inkless === null ? [] : [{ where, found: inkless, kind: 'inkless' }]
  })
}

const quotedWhole = /^([\u2018\u201a\u201c\u201e\u00ab]).*[\u2018\u2019\u201c\u201d\u00bb]$/s
