import { isJsonObject } from '../../../../common/json/json-object.ts'

/** Objects of the store never change in place, and each goes to several readers. */
const texts = new WeakMap<object, string>()

export function jsonText(object: object): string {
  const known = texts.get(object)
  if (known !== undefined) return known
  const text = JSON.stringify(object)
  texts.set(object, text)
  return text
}

/** RFC 7396: objects merge, `null` removes, everything else replaces, lists included. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const result: Record<string, unknown> = isJsonObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = mergePatch(result[name], value)
  }
  return result
}
