import { utcTime } from './formats.ts'
import { isJsonObject } from '../../common/json/json-object.ts'
import type { JsonObject } from '../../common/json/json-object.ts'

/**
 * Converts a value to the types of the schema: `null` and `""` for an optional field are absent, numbers and
 * booleans may be strings, and times become UTC. Other values are not changed, and validation refuses them. Clients built
 * from forms and spreadsheets send every value as text, and `""` for what was not filled in.
 * @param onEmpty gets the place of each field that is absent because it was `""`
 * @returns a copy; unknown fields stay, so that an error can name them
 */
export function lenient(
  schema: JsonObject,
  value: unknown,
  onEmpty: (loc: readonly string[]) => void = () => undefined,
): unknown {
  const fitting = branchFor(schema, value)
  if (isJsonObject(value)) return lenientObject(fitting, value, onEmpty)
  if (Array.isArray(value)) {
    const items = fitting['items']
    return isJsonObject(items) ? value.map((item) => lenient(items, item)) : value
  }
  if (typeof value !== 'string') return value
  if (fitting['format'] === 'date-time') return utcTime(value) ?? value
  return fromText(fitting['type'], value)
}

function lenientObject(
  schema: JsonObject,
  value: JsonObject,
  onEmpty: (loc: readonly string[]) => void,
): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const others = schema['additionalProperties']
  const required = schema['required']
  const limit = schema['maxProperties']
  // One item too many is enough for the refusal; converting 30,000 would block the event loop.
  let left = typeof limit === 'number' ? limit + 1 : Infinity
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (left-- <= 0) break
    const field = value[key]
    const own = Object.hasOwn(properties, key)
    const inner = own ? properties[key] : others
    if (own && !(Array.isArray(required) && required.includes(key))) {
      if (field === null) continue
      if (field === '' && !isSwitch(inner)) {
        onEmpty([key])
        continue
      }
    }
    const converted = isJsonObject(inner)
      ? lenient(inner, field, (loc) => onEmpty([key, ...loc]))
      : field
    // An assignment of this key would change the object instead of becoming a field.
    if (key === '__proto__') define(copy, key, converted)
    else copy[key] = converted
  }
  return copy
}

/** An `is_private` that a form left empty must not publish the files. */
function isSwitch(schema: unknown): boolean {
  return isJsonObject(schema) && schema['type'] === 'boolean'
}

function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}

/** The alternative for values of this type. */
export function branchFor(schema: JsonObject, value: unknown): JsonObject {
  const branches = schema['oneOf']
  if (!Array.isArray(branches)) return schema
  const kind = Array.isArray(value) ? 'array' : typeof value
  return branches.filter(isJsonObject).find((branch) => branch['type'] === kind) ?? schema
}

const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

function fromText(type: unknown, text: string): unknown {
  if (allows(type, 'string')) return text
  const trimmed = text.trim()
  if (trimmed === '' && allows(type, 'null')) return null
  if ((allows(type, 'number') || allows(type, 'integer')) && number.test(trimmed)) {
    return Number(trimmed)
  }
  if (allows(type, 'boolean') && /^(true|false)$/i.test(trimmed)) {
    return trimmed.toLowerCase() === 'true'
  }
  return text
}

function allows(type: unknown, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name))
}

/**
 * The parameters of a query string; the last value of a repeated one counts. A parameter whose schema is an
 * object is sent as `name.key=value`, or as `name[key]=value` (`deepObject` of OpenAPI).
 * @param schema of `{path, query, body}`
 */
export function queryParameters(query: string, schema: JsonObject): JsonObject {
  if (query === '') return {}
  const members = new Map(objectsIn(schema).map((name) => [name, new Map<string, string>()]))
  const plain = new Map<string, unknown>()
  for (const [name, value] of new URLSearchParams(query)) {
    const [, object = '', dotted, bracketed] = /^([^.[]+)(?:\.(.+)|\[(.+)\])$/s.exec(name) ?? []
    const own = members.get(object)
    if (own === undefined) plain.set(name, value)
    else own.set(dotted ?? bracketed ?? '', value)
  }
  for (const [name, own] of members) if (own.size > 0) plain.set(name, Object.fromEntries(own))
  return Object.fromEntries(plain) as JsonObject
}

function objectsIn({ properties: parts }: JsonObject): string[] {
  const query = isJsonObject(parts) ? parts['query'] : null
  const properties = isJsonObject(query) ? query['properties'] : null
  return Object.entries(isJsonObject(properties) ? properties : {})
    .filter(([, parameter]) => isJsonObject(parameter) && parameter['type'] === 'object')
    .map(([name]) => name)
}
