import { placeholderAt } from '../../common/command-line/model/placeholders.ts'

/** A part of a text; offsets are UTF-16, as those of a text field. */
export interface Range {
  readonly from: number
  readonly to: number
}

export type Tone = 'bad' | 'warning'

export interface Marked extends Range {
  readonly tone: Tone
}

/** A piece of the backdrop, of one look. */
export interface Segment {
  readonly text: string
  readonly isPlaceholder: boolean
  readonly tone: Tone | null
}

/**
 * Cuts the text where a placeholder or a mark begins or ends; together the pieces are the text.
 * @param known aliases that are declared, the only ones to look like placeholders; null: any may exist
 */
export function segmentsOf(
  text: string,
  marks: readonly Marked[],
  known: readonly string[] | null = null,
): Segment[] {
  const placeholders = placeholdersIn(text).filter(
    ({ alias }) => known === null || known.includes(alias),
  )
  const cuts = new Set([0, text.length])
  for (const { from, to } of [...placeholders, ...marks]) cuts.add(from).add(to)
  const offsets = [...cuts].filter((at) => at >= 0 && at <= text.length).toSorted((a, b) => a - b)
  return offsets.slice(1).map((to, index) => {
    const from = offsets[index] ?? 0
    const covers = (range: Range) => range.from <= from && to <= range.to
    const tones = marks.filter(covers).map(({ tone }) => tone)
    return {
      text: text.slice(from, to),
      isPlaceholder: placeholders.some(covers),
      tone: tones.includes('bad') ? 'bad' : (tones[0] ?? null),
    }
  })
}

/** Finds all spellings that the service reads. */
export function placeholdersIn(text: string): (Range & { readonly alias: string })[] {
  const found: (Range & { readonly alias: string })[] = []
  for (const { index: from } of text.matchAll(/[\\{<]/g)) {
    // A backslash before a bracket of a placeholder is a part of it.
    if (from < (found.at(-1)?.to ?? 0)) continue
    const placeholder = placeholderAt(text, from)
    if (placeholder !== null) found.push({ alias: placeholder.alias, from, to: placeholder.end })
  }
  return found
}

/** Offsets of a place that counts Unicode characters from 0. */
export function offsetsOf(text: string, { from, to }: Range): Range {
  const characters = Array.from(text)
  const offset = (count: number) => characters.slice(0, count).join('').length
  return { from: offset(from), to: offset(to) }
}
