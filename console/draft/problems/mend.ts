import type { Draft } from '../draft.ts'
import type { Range } from '../marks.ts'
import type { Problem, Remedy } from './problems.ts'

/** A range in the text of one command. */
export interface Place extends Range {
  readonly index: number
}

/** The draft after a click on the remedy, with the place of what was written; null where the problem has none. */
export function mended(draft: Draft, problem: Problem, remedy: Remedy) {
  if (remedy.kind === 'declare') return { draft: withAlias(draft, remedy.alias), place: null }
  const place = placeOf(problem)
  if (place === null) return null
  const { from, to, index } = place
  const commands = draft.commands.map((text, at) =>
    at === index ? `${text.slice(0, from)}${remedy.by}${text.slice(to)}` : text,
  )
  return { draft: { ...draft, commands }, place: { from, to: from + remedy.by.length, index } }
}

/** Place of a problem in the text of a command; null for one of another field, or without a place. */
export function placeOf({ field, at }: Problem): Place | null {
  return field.kind === 'command' && at !== null ? { ...at, index: field.index } : null
}

/** One more input without a file, or one more output. */
export function withAlias(draft: Draft, alias: string): Draft {
  if (alias.startsWith('in_')) {
    const inputs = [...draft.inputs, { alias, url: '', file: null, hint: null }]
    return { ...draft, zip: null, inputs }
  }
  const name = alias.startsWith('out_playlist_') ? `${alias}.m3u8` : `${alias}.mp4`
  return { ...draft, outputs: [...(draft.outputs ?? []), { alias, name }] }
}
