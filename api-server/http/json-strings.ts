import { isJsonObject } from '../../common/json/json-object.ts'
import { duplicateKey } from '../json/duplicate-key.ts'
import type { JsonObject } from '../../common/json/json-object.ts'

/** A request in which strings of JSON stand no longer in place of objects and arrays. */
interface Unpacked {
  readonly request: unknown
  /** One sentence for each string that was taken as what it holds. */
  readonly warnings: readonly string[]
}

/**
 * Takes the body, and each of its fields, as the object or array that it holds where it is a string of JSON and the
 * schema has no such string: n8n and shells often encode a value twice. A field that may be any text stays one.
 * @param schema of `{path, query, body}`
 */
export function unpackStrings(schema: JsonObject, request: unknown): Unpacked {
  const bodySchema = propertyOf(schema, 'body')
  if (!isJsonObject(request) || bodySchema === null) return { request, warnings: [] }
  const warnings: string[] = []
  const body = unpacked(bodySchema, request['body'], 'body', warnings)
  if (!isJsonObject(body)) return { request, warnings }
  const changed = new Map<string, unknown>()
  for (const [name, value] of Object.entries(body)) {
    const inner = propertyOf(bodySchema, name)
    const field = inner === null ? value : unpacked(inner, value, `body.${name}`, warnings)
    if (field !== value) changed.set(name, field)
  }
  if (warnings.length === 0) return { request, warnings }
  const whole = Object.entries(body).map(([name, value]) => [name, changed.get(name) ?? value])
  return { request: { ...request, body: Object.fromEntries(whole) as JsonObject }, warnings }
}

/** @returns the object that a string holds; else the value itself */
export function objectIn(value: unknown): unknown {
  return unpacked({ type: 'object' }, value, '', [])
}

/** A text that does not parse, or has a key twice, stays, and validation says what is wrong with it. */
function unpacked(schema: JsonObject, value: unknown, place: string, warnings: string[]): unknown {
  if (typeof value !== 'string') return value
  const kind = kindOf(value)
  if (kind === null || !typesOf(schema).includes(kind)) return value
  try {
    const held: unknown = JSON.parse(value)
    if (duplicateKey(value) !== null) return value
    warnings.push(`${place} was a string of JSON; send the ${kind}`)
    return held
  } catch (error) {
    if (error instanceof SyntaxError) return value
    throw error
  }
}

function kindOf(text: string): 'object' | 'array' | null {
  const start = text.trimStart()
  if (start.startsWith('{')) return 'object'
  return start.startsWith('[') ? 'array' : null
}

function typesOf({ type, oneOf }: JsonObject): unknown[] {
  const branches = Array.isArray(oneOf) ? oneOf.filter(isJsonObject) : []
  return [type, ...branches.map((branch) => branch['type'])].flat()
}

function propertyOf({ properties }: JsonObject, name: string): JsonObject | null {
  const found =
    isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  return isJsonObject(found) ? found : null
}
