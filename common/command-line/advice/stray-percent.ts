import type { FilterUse } from '../grammar/filter-graph.ts'
import type { StepPlan } from '../model/plan.ts'
import { stepFilters } from '../steps/step-filters.ts'

/**
 * Texts after a `%` that begins no function, as FFmpeg names them: drawtext does not draw the text that
 * holds it at all.
 */
export function strayPercents(step: StepPlan): string[] {
  return stepFilters(step).flatMap((filter) => {
    const text = filter.name === 'drawtext' && isExpanded(filter) ? textOf(filter) : null
    const near = text === null ? null : strayIn(text)
    return near === null ? [] : [near.slice(0, mostShown)]
  })
}

const mostShown = 20

function isExpanded({ arguments: given }: FilterUse): boolean {
  const expansion = given.findLast(({ key }) => key === 'expansion')
  return expansion === undefined || /^\s*(?:normal|1)\s*$/.test(expansion.value)
}

/** Options without a name are those of FFmpeg's own order: fontfile, text. */
function textOf({ arguments: given }: FilterUse): string | null {
  const unnamed = given.filter(({ key }) => key === null)
  return (given.findLast(({ key }) => key === 'text') ?? unnamed[1])?.value ?? null
}

/** Reads on as FFmpeg's textutils.c does: a backslash takes the next character, `%{…}` is a function. */
function strayIn(text: string): string | null {
  for (let offset = 0; offset < text.length; offset += 1) {
    const character = text.charAt(offset)
    if (character === '\\') offset += 1
    if (character !== '%') continue
    const end = text.startsWith('%{', offset) ? functionEnd(text, offset) : -1
    if (end === -1) return text.slice(offset)
    offset = end
  }
  return null
}

function functionEnd(text: string, start: number): number {
  const end = /(?:\\.|[^\\}])*\}/sy
  end.lastIndex = start
  return end.test(text) ? end.lastIndex - 1 : -1
}
