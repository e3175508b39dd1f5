import { asJsonObject } from '../../common/json/json-object.ts'
import { editDistance } from '../../common/domain/edit-distance.ts'
import type { JsonObject } from '../../common/json/json-object.ts'

/**
 * The field that a client sent in place of the missing one: a usual guess (`x-guesses` of the
 * schema) or a misspelling.
 */
export function guessedName(
  missing: string,
  schema: JsonObject,
  sent: readonly string[],
): string | null {
  const guesses = listAt(schema['x-guesses'], missing)
  const declared = Object.keys(asJsonObject(schema['properties']))
  const unknown = sent
    .slice(0, maxNamesRead)
    .filter((name) => !declared.includes(name) && name.length <= 64)
  return (
    unknown.find((name) => guesses.includes(name)) ??
    unknown.find((name) => isMisspelled(missing, name)) ??
    null
  )
}

/**
 * The declared field that an unknown name stands for: a usual guess (`x-guesses`), the same name in another spelling
 * (`isPrivate`), or a misspelling; null when none is near.
 */
export function knownName(unknown: string, schema: JsonObject): string | null {
  if (unknown.length > 64) return null
  const declared = Object.keys(asJsonObject(schema['properties']))
  const guesses = schema['x-guesses']
  return (
    declared.find((name) => listAt(guesses, name).includes(unknown)) ??
    declared.find((name) => plain(name) === plain(unknown)) ??
    declared.find((name) => name.length > 4 && isMisspelled(name, unknown)) ??
    null
  )
}

/** `is_private`, `isPrivate` and `Is-Private` are one name. */
function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}

/** A request with more fields than this was not written by hand. */
const maxNamesRead = 100

/** At most two letters inserted, left out or replaced; case does not count. */
function isMisspelled(wanted: string, found: string): boolean {
  return editDistance(wanted.toLowerCase(), found.toLowerCase()) <= 2
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const list = asJsonObject(value)[key]
  return Array.isArray(list) ? list : []
}
