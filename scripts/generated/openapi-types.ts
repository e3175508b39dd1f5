import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { compile } from 'json-schema-to-typescript'
import { format, resolveConfig } from 'prettier'

export interface GeneratedFile {
  /** Relative to the repository's root. */
  readonly path: string
  readonly content: string
}

const source = 'common/openapi/openapi.json'
const path = 'common/openapi/openapi-types.ts'

/**
 * The types of the REST API: every schema under its own name, `Calls`, which says for each
 * operation what a handler gets once its request is checked (defaults are filled in then, so the
 * fields that have one are always there), `Requests`, the same as a client may send it, and
 * `Answers`, what a client gets.
 */
export async function openapiTypes(root: string): Promise<GeneratedFile> {
  const document: unknown = JSON.parse(await readFile(resolve(root, source), 'utf8'))
  const $defs = {
    ...record(at(document, 'components', 'schemas')),
    ...checkedBodies(document),
    Requests: callsOf(document, (_, operation) => requestAsSent(operation)),
    Answers: callsOf(document, (_, operation) => answer(document, operation)),
  }
  const schema = withLocalRefs({ ...callsOf(document, checkedRequest), $defs })
  const types = await compile(schema as object, 'Calls', {
    bannerComment: `// Generated from ${source} by 'npm run generate'.`,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    format: false,
  })
  const config = await resolveConfig(resolve(root, path))
  const content = withoutNotes(types)
  return { path, content: await format(content + checkedType, { ...config, parser: 'typescript' }) }
}

/** Removes the compiler's notes on the references of each type. */
function withoutNotes(types: string): string {
  return types
    .replaceAll(/\n \*\s*\n \* This interface was referenced by .*\n \* via .*/g, '')
    .replaceAll(/\/\*\*\n \* This interface was referenced by .*\n \* via .*\n \*\/\n/g, '')
}

type Describe = (document: unknown, operation: unknown) => object

function callsOf(document: unknown, describe: Describe): object {
  const properties = Object.fromEntries(
    apiOperations(document).map(({ operationId, operation }) => [
      operationId,
      describe(document, operation),
    ]),
  )
  return { type: 'object', required: Object.keys(properties), properties }
}

/** All but health and the description itself, which take no input and pass no validator. */
export function apiOperations(
  document: unknown,
): { operationId: string; path: string; method: string; operation: unknown }[] {
  return Object.entries(record(at(document, 'paths'))).flatMap(([path, operations]) =>
    Object.entries(record(operations))
      .filter(([, operation]) => !isAboutService(operation))
      .map(([method, operation]) => {
        const operationId = String(at(operation, 'operationId'))
        return { operationId, path, method, operation }
      }),
  )
}

function isAboutService(operation: unknown): boolean {
  return at(operation, 'security') !== undefined && at(operation, 'requestBody') === undefined
}

/** The request as it is sent, with its defaults filled in. */
function checkedRequest(document: unknown, operation: unknown): object {
  const id = String(at(operation, 'operationId'))
  const sent = `Requests['${id}']`
  const query = parametersIn(operation, 'query').filter(hasDefault).map(nameOf)
  const body = filledFields(document, operation)
  if (query.length === 0 && body.length === 0) return { tsType: sent }
  const properties = {
    path: { tsType: `${sent}['path']` },
    query: { tsType: checked(`${sent}['query']`, query) },
    ...(body.length === 0 ? {} : { body: { $ref: `#/$defs/${bodyName(id)}` } }),
  }
  return { type: 'object', required: Object.keys(properties), properties }
}

/** Types of the checked bodies that have defaults. */
function checkedBodies(document: unknown): object {
  return Object.fromEntries(
    apiOperations(document).flatMap(({ operationId, operation }) => {
      const filled = filledFields(document, operation)
      const tsType = checked(bodyType(operation), filled)
      return filled.length === 0 ? [] : [[bodyName(operationId), { tsType }]]
    }),
  )
}

function checked(sent: string, filled: readonly string[]): string {
  if (filled.length === 0) return sent
  return `Checked<${sent}, ${filled.map((name) => `'${name}'`).join(' | ')}>`
}

const checkedType = `
/** A request once it is checked: defaults are filled in. */
type Checked<Sent, Filled extends keyof Sent> = Sent & Required<Pick<Sent, Filled>>
`

function bodyName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Body`
}

function requestAsSent(operation: unknown): object {
  const body = bodyOf(operation)
  const properties = {
    path: parameterSchema(operation, 'path'),
    query: parameterSchema(operation, 'query'),
    ...(body === undefined ? {} : { body }),
  }
  return { type: 'object', required: Object.keys(properties), properties }
}

/** The body of success: JSON as its schema says, text as text; `null` where there is none. */
function answer(document: unknown, operation: unknown): object {
  const content = successContent(document, operation)
  const json = at(content, 'application/json', 'schema')
  if (json !== undefined) return record(json)
  return { type: Object.keys(content).length > 0 ? 'string' : 'null' }
}

/** Media type to description, of the answer to a request that was carried out. */
export function successContent(document: unknown, operation: unknown): Record<string, unknown> {
  const answers = Object.entries(record(at(operation, 'responses')))
  const success = answers.find(([status]) => status.startsWith('2'))?.[1]
  const reference = at(success, '$ref')
  const name = String(reference).split('/').at(-1) ?? ''
  const shared = at(document, 'components', 'responses', name)
  return record(at(reference === undefined ? success : shared, 'content'))
}

function parameterSchema(operation: unknown, place: string): object {
  const own = parametersIn(operation, place)
  return {
    type: 'object',
    required: own.filter((one) => at(one, 'required') === true).map(nameOf),
    properties: Object.fromEntries(own.map((one) => [nameOf(one), at(one, 'schema')])),
  }
}

function parametersIn(operation: unknown, place: string): unknown[] {
  const parameters = at(operation, 'parameters')
  const list: unknown[] = Array.isArray(parameters) ? parameters : []
  return list.filter((one) => at(one, 'in') === place)
}

function hasDefault(parameter: unknown): boolean {
  return at(parameter, 'schema', 'default') !== undefined
}

function nameOf(parameter: unknown): string {
  return String(at(parameter, 'name'))
}

function bodyOf(operation: unknown): unknown {
  return at(operation, 'requestBody', 'content', 'application/json', 'schema')
}

function bodyType(operation: unknown): string {
  return (
    String(at(bodyOf(operation), '$ref'))
      .split('/')
      .at(-1) ?? ''
  )
}

/** Names of the fields of the body that have a default. */
function filledFields(document: unknown, operation: unknown): string[] {
  const schema = at(document, 'components', 'schemas', bodyType(operation))
  return Object.entries(record(at(schema, 'properties')))
    .filter(([, property]) => at(property, 'default') !== undefined)
    .map(([name]) => name)
}

/**
 * `#/components/schemas/X` names no type to the compiler, `#/$defs/X` does; conditions are not types. Of a description, the
 * first paragraph: the list of all error_status would take more room in the npm package than the types around it.
 */
function withLocalRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLocalRefs)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([key]) => !['if', 'then', 'else'].includes(key))
    .map(([key, one]) => {
      if (key === '$ref') return [key, String(one).replace('#/components/schemas/', '#/$defs/')]
      if (key === 'description' && typeof one === 'string') return [key, one.split('\n\n')[0]]
      return [key, withLocalRefs(one)]
    })
  return Object.fromEntries(entries) as unknown
}

export function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? record(inner)[key] : undefined),
    value,
  )
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
