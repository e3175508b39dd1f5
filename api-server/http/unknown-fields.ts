import { isJsonObject } from '../../common/json/json-object.ts'
import { knownName } from './guessed-name.ts'
import { branchFor } from './lenient.ts'
import type { ValidationMistake } from '../../common/openapi/openapi-types.ts'
import type { JsonObject } from '../../common/json/json-object.ts'

/** A field or query parameter that the call does not have. */
export interface UnknownField {
  readonly loc: readonly string[]
  /** The declared name that the client probably meant. */
  readonly meant: string | null
  /** Ignoring the field would do what the client wants to prevent, such as publishing a private output. */
  readonly refused: boolean
}

/** A request with more of them was not written by hand. */
const maxReported = 20

/**
 * Every field of a request that its schema does not declare. Objects whose keys are the client's own, such as
 * `metadata`, have none.
 * @param schema of `{path, query, body}`
 */
export function unknownFields(schema: JsonObject, request: unknown): UnknownField[] {
  const found: UnknownField[] = []
  walk(schema, request, [], found)
  return found
}

/** One sentence for each field that is ignored. */
export function ignoredFieldTexts(fields: readonly UnknownField[]): string[] {
  return fields
    .filter(({ refused }) => !refused)
    .map(({ loc, meant }) => {
      const advice = meant === null ? '' : `; did you mean '${meant}'?`
      return `${loc.map(clipped).join('.')} is unknown and ignored${advice}`
    })
}

/** Names of query parameters among them. */
export function parameterNames(fields: readonly UnknownField[]): string[] {
  return fields.flatMap(({ loc: [place, ...name] }) => {
    return place === 'query' ? [name.map(clipped).join('.')] : []
  })
}

/** Fields that must not be ignored (`x-refused-guesses` of the schema). */
export function refusedFieldMistakes(fields: readonly UnknownField[]): ValidationMistake[] {
  return fields
    .filter(({ refused }) => refused)
    .map(({ loc, meant }) => ({
      loc: [...loc],
      msg: `Unknown field; it is named '${meant ?? ''}', and ignoring it would publish the files`,
      type: 'value_error',
    }))
}

function walk(schema: JsonObject, value: unknown, loc: string[], found: UnknownField[]): void {
  if (found.length >= maxReported || typeof value !== 'object' || value === null) return
  const fitting = branchFor(schema, value)
  if (Array.isArray(value)) {
    const items = fitting['items']
    if (!isJsonObject(items)) return
    for (const [index, item] of value.entries()) walk(items, item, [...loc, String(index)], found)
    return
  }
  const properties = fitting['properties']
  if (!isJsonObject(properties)) return
  const others = fitting['additionalProperties']
  const refused = fitting['x-refused-guesses']
  for (const name of Object.keys(value)) {
    if (found.length >= maxReported) return
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (isJsonObject(own)) {
      const field: unknown = Reflect.get(value, name)
      if (typeof field === 'object') walk(own, field, [...loc, name], found)
    } else if (!isJsonObject(others)) {
      const meant = knownName(name, fitting)
      const mustNot = Array.isArray(refused) && refused.includes(meant)
      found.push({ loc: [...loc, name], meant, refused: mustNot })
    }
  }
}

/** Names come from the client; a long one must not fill the header. */
function clipped(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`
}
