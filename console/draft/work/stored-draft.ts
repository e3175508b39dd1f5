import { emptyDraft, usualOptions } from '../draft.ts'
import type { Draft } from '../draft.ts'

/** The draft in a text of the storage; another version of the console may have written it. */
export function draftIn(text: string | null): Draft {
  try {
    const found: unknown = JSON.parse(text ?? 'null')
    if (!isDraft(found)) return emptyDraft
    // A field that the other version lacked has its default.
    return { ...found, options: { ...usualOptions, ...found.options } }
  } catch {
    return emptyDraft
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  const isList = (name: string) => Array.isArray(fields.get(name))
  return (
    isList('inputs') &&
    isList('commands') &&
    (isList('outputs') || fields.get('outputs') === null) &&
    ['zip', 'options'].every((name) => fields.has(name))
  )
}
