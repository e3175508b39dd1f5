import { isJsonObject } from '../../../common/json/json-object.ts'
import { fieldsOf } from '../../link/fields.ts'
import type { Fields } from '../../link/fields.ts'

/** A field of an answer that is not a plain value; undefined if it is absent. */
export function rawField(body: unknown, name: string): unknown {
  return isJsonObject(body) ? body[name] : undefined
}

/** @throws if the value is not a list of objects */
export function listOf(value: unknown, place: string): Fields[] {
  if (!Array.isArray(value)) throw new Error(`${place}: not a list`)
  return value.map((entry: unknown, index) => fieldsOf(entry, `${place}[${String(index)}]`))
}

/** @throws if the value is not an object of strings */
export function textMap(value: unknown, place: string): Record<string, string> {
  if (!isJsonObject(value)) throw new Error(`${place}: not an object`)
  const fields = fieldsOf(value, place)
  return Object.fromEntries(Object.keys(value).map((name) => [name, fields.text(name)]))
}
