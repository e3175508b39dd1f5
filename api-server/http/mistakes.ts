import { asJsonObject } from '../../common/json/json-object.ts'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { guessedName } from './guessed-name.ts'
import { jsonStringMistake } from '../json/json-mistake.ts'
import { otherThanName } from '../../common/command-line/model/output-name.ts'
import { urlAdvice } from '../../common/network/http-url.ts'
import type { ValidationMistake } from '../../common/openapi/openapi-types.ts'

type Kind = ValidationMistake['type']

export const maxMistakes = 20

/**
 * Converts the validator's errors to those of the API: location, message and type. A schema may set
 * its own message and type by `x-error-message` and `x-error-type` beside the keyword, and by `x-error-advice` what
 * knows more of the value.
 * @param empty places of fields that count as absent because they were empty: `body.input_files`
 */
export function mistakesFrom(
  errors: readonly ErrorObject[],
  empty: readonly string[] = [],
): ValidationMistake[] {
  const mistakes = new Map<string, ValidationMistake>()
  for (const error of withoutOtherBranches(errors)) {
    if (error.keyword === 'if' || error.keyword === 'propertyNames') continue
    const mistake = saidEmpty(mistakeFrom(error), error.data, empty)
    mistakes.set(JSON.stringify([mistake.loc, mistake.type]), mistake)
    if (mistakes.size === maxMistakes) break
  }
  return [...mistakes.values()]
}

function mistakeFrom(error: ErrorObject): ValidationMistake {
  const unparsed = unparsedSentence(error)
  if (unparsed !== null) return { loc: placeOf(error), msg: unparsed, type: 'json_invalid' }
  const { msg, type } = sentenceFor(error)
  const own = asJsonObject(error.parentSchema)
  const message = adviceOn(error.data, own['x-error-advice']) ?? own['x-error-message']
  // They apply to a value of the right type, or to the types of the alternatives themselves.
  const applies = !(error.keyword === 'type' && typeof error.schema === 'string')
  return {
    loc: placeOf(error),
    msg: applies && typeof message === 'string' ? message : msg,
    type: isKind(own['x-error-type']) ? own['x-error-type'] : type,
  }
}

/** An empty text is what forms send for a field that was not filled in, and a rule for its letters says nothing about that. */
function saidEmpty(
  mistake: ValidationMistake,
  data: unknown,
  empty: readonly string[],
): ValidationMistake {
  const { loc, msg, type } = mistake
  if (type === 'missing') {
    return empty.includes(loc.join('.'))
      ? { ...mistake, msg: `${msg}; it was sent empty` }
      : mistake
  }
  if (data !== '') return mistake
  const rule = msg.replace(/^Input should not be blank$/, '').replace(/^Input should/, 'it should')
  return { ...mistake, msg: rule === '' ? 'Input is empty' : `Input is empty; ${rule}` }
}

/** A string stands where the schema has an object or array, also in place of the one text that it may be. */
function unparsedSentence({ keyword, schema, data }: ErrorObject): string | null {
  if (typeof data !== 'string') return null
  if (keyword === 'oneOf' || keyword === 'const') return jsonStringMistake(data, 'object')
  const isMeant = keyword === 'type' && (schema === 'object' || schema === 'array')
  return isMeant ? jsonStringMistake(data, schema) : null
}

function adviceOn(value: unknown, adviser: unknown): string | null {
  return adviser === 'output-name' && typeof value === 'string' ? otherThanName(value) : null
}

function placeOf({ instancePath, keyword, params, propertyName }: ErrorObject): string[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const missing: unknown = keyword === 'required' ? params['missingProperty'] : propertyName
  return typeof missing === 'string' ? [...path, missing] : path
}

function sentenceFor(error: ErrorObject): { msg: string; type: Kind } {
  const limit = String(asJsonObject(error.params)['limit'])
  switch (error.keyword) {
    case 'required':
      return { msg: missingSentence(error), type: 'missing' }
    case 'type':
    case 'oneOf':
      return folderOfChain(error) ?? wrongType(error.keyword === 'type' ? error.schema : 'object')
    case 'enum':
      return { msg: `Input should be one of ${listOf(error.schema)}`, type: 'enum' }
    case 'const':
      return { msg: `Input should be ${JSON.stringify(error.schema)}`, type: 'enum' }
    case 'minimum':
      return { msg: `Input should be ${limit} or more`, type: 'greater_than_equal' }
    case 'maximum':
      return { msg: `Input should be ${limit} or less`, type: 'less_than_equal' }
    case 'exclusiveMinimum':
      return { msg: `Input should be greater than ${limit}`, type: 'greater_than' }
    case 'minLength':
      return { msg: `Input should have at least ${characters(limit)}`, type: 'string_too_short' }
    case 'maxLength':
      return { msg: `Input should have at most ${characters(limit)}`, type: 'string_too_long' }
    case 'x-not-blank':
      return { msg: 'Input should not be blank', type: 'string_too_short' }
    case 'x-max-bytes':
      return {
        msg: `Input should have at most ${String(error.schema)} bytes in UTF-8`,
        type: 'string_too_long',
      }
    case 'pattern':
      return { msg: `Input should match ${String(error.schema)}`, type: 'string_pattern_mismatch' }
    case 'minItems':
    case 'minProperties':
      return { msg: `Input should have at least ${entries(limit)}`, type: 'too_short' }
    case 'maxItems':
    case 'maxProperties':
      return { msg: `Input should have at most ${entries(limit)}`, type: 'too_long' }
    case 'format':
      return wrongFormat(error.schema, error.data)
    default:
      return { msg: `Input ${error.message ?? 'is not valid'}`, type: 'value_error' }
  }
}

function missingSentence({ params, parentSchema, data }: ErrorObject): string {
  const missing = String(asJsonObject(params)['missingProperty'])
  const schema = asJsonObject(parentSchema)
  const found = guessedName(missing, schema, Object.keys(asJsonObject(data)))
  const advice = asJsonObject(schema['x-missing'])[missing]
  if (found === null)
    return typeof advice === 'string' ? `Field required: ${advice}` : 'Field required'
  const elsewhere = asJsonObject(schema['x-elsewhere'])[found]
  const remedy = typeof elsewhere === 'string' ? `; ${elsewhere}` : ''
  return `Field required; found '${found}'${remedy}`
}

function folderOfChain({ data, instancePath }: ErrorObject): { msg: string; type: Kind } | null {
  if (data !== 'OUTPUT_FOLDER' || !instancePath.endsWith('/output_files')) return null
  const msg =
    'Input should be an object: a chain stores the files named here; "OUTPUT_FOLDER" is for a single command'
  return { msg, type: 'dict_type' }
}

function wrongType(type: unknown): { msg: string; type: Kind } {
  switch (type) {
    case 'string':
      return { msg: 'Input should be a string', type: 'string_type' }
    case 'integer':
      return { msg: 'Input should be an integer', type: 'int_parsing' }
    case 'number':
      return { msg: 'Input should be a number', type: 'float_parsing' }
    case 'boolean':
      return { msg: 'Input should be true or false', type: 'bool_parsing' }
    case 'object':
      return { msg: 'Input should be an object', type: 'dict_type' }
    case 'array':
      return { msg: 'Input should be an array', type: 'list_type' }
    default:
      return Array.isArray(type) && type.includes('null')
        ? wrongType(type.find((one) => one !== 'null'))
        : { msg: `Input should be ${listOf(type)}`, type: 'value_error' }
  }
}

function wrongFormat(format: unknown, value: unknown): { msg: string; type: Kind } {
  if (format === 'email') {
    return { msg: 'Input should be an e-mail address: name@domain', type: 'value_error' }
  }
  if (format === 'date-time') {
    const msg =
      'Input should be a time with Z or an offset, such as 2026-05-19T18:15:20Z or 2026-05-19T18:15:20+02:00, or a date, such as 2026-05-19'
    return { msg, type: 'value_error' }
  }
  return format === 'uuid'
    ? { msg: 'Input should be a UUID', type: 'uuid_parsing' }
    : { msg: urlAdvice(value), type: 'url_parsing' }
}

/**
 * Keeps the errors of the alternative for values of this type: a wrong alias in an object must not
 * lead to the advice to send a string.
 */
function withoutOtherBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const alternatives = errors.filter((error) => error.keyword === 'oneOf')
  if (alternatives.length === 0) return [...errors]
  const wrongTypes = new Set(
    errors.filter((error) => error.keyword === 'type').map((error) => error.schemaPath),
  )
  const isOther = (branch: string) => wrongTypes.has(`${branch}/type`)
  return errors.filter((error) =>
    error.keyword === 'oneOf'
      ? branchesOf(error).every(isOther)
      : alternatives
          .filter(({ schemaPath }) => error.schemaPath.startsWith(`${schemaPath}/`))
          .every(({ schemaPath }) => !isOther(branchAt(schemaPath, error))),
  )
}

function branchesOf({ schema, schemaPath }: ErrorObject): string[] {
  const branches: unknown = schema
  return Array.isArray(branches) ? branches.map((_, index) => `${schemaPath}/${index}`) : []
}

function branchAt(alternatives: string, { schemaPath }: ErrorObject): string {
  return `${alternatives}/${schemaPath.slice(alternatives.length + 1).split('/')[0] ?? ''}`
}

function entries(limit: string): string {
  return limit === '1' ? '1 entry' : `${limit} entries`
}

function characters(limit: string): string {
  return limit === '1' ? '1 character' : `${limit} characters`
}

function listOf(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join(', ') : String(values)
}

const kinds: ReadonlySet<unknown> = new Set<Kind>(['value_error', 'string_too_short', 'enum'])

function isKind(value: unknown): value is Kind {
  return kinds.has(value)
}
