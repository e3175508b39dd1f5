import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { compile } from 'json-schema-to-typescript'
import { format, resolveConfig } from 'prettier'
import type { GeneratedFile } from './generated-files.ts'

const source = 'api-server/openapi.json'
const path = 'api-server/openapi-types.ts'

/**
 * The types of the REST API: every schema under its own name, and `Calls`, which says for each
 * operation what a handler gets once its request is checked (defaults are filled in then, so the
 * fields that have one are always there).
 */
export async function openapiTypes(root: string): Promise<GeneratedFile> {
  const document: unknown = JSON.parse(await readFile(resolve(root, source), 'utf8'))
  const $defs = at(document, 'components', 'schemas')
  const schema = withLocalRefs({ ...calls(document), $defs })
  const types = await compile(schema as object, 'Calls', {
    bannerComment: `// Generated from ${source} by 'npm run generate'.`,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    format: false,
  })
  const config = await resolveConfig(resolve(root, path))
  const content = withoutNotes(types)
  return { path, content: await format(content, { ...config, parser: 'typescript' }) }
}

/** The compiler tells on each type who refers to it; the names say that already. */
function withoutNotes(types: string): string {
  return types
    .replaceAll(/\n \*\s*\n \* This interface was referenced by .*\n \* via .*/g, '')
    .replaceAll(/\/\*\*\n \* This interface was referenced by .*\n \* via .*\n \*\/\n/g, '')
}

function calls(document: unknown): object {
  const properties: Record<string, unknown> = {}
  for (const operations of Object.values(record(at(document, 'paths')))) {
    for (const operation of Object.values(record(operations))) {
      // Health and the description itself take no input and pass no validator.
      if (at(operation, 'security') !== undefined) continue
      properties[String(at(operation, 'operationId'))] = call(document, operation)
    }
  }
  return { type: 'object', required: Object.keys(properties), properties }
}

function call(document: unknown, operation: unknown): object {
  const parameters = at(operation, 'parameters')
  const list = Array.isArray(parameters) ? parameters : []
  const body = at(operation, 'requestBody', 'content', 'application/json', 'schema')
  const properties = {
    path: parametersIn(list, 'path'),
    query: parametersIn(list, 'query'),
    ...(body === undefined ? {} : { body: withDefaults(document, operation, body) }),
  }
  return { type: 'object', required: Object.keys(properties), properties }
}

function parametersIn(parameters: unknown[], place: string): object {
  const own = parameters.filter((parameter) => at(parameter, 'in') === place)
  return {
    type: 'object',
    required: own
      .filter((one) => at(one, 'required') === true || at(one, 'schema', 'default') !== undefined)
      .map((one) => at(one, 'name')),
    properties: Object.fromEntries(own.map((one) => [String(at(one, 'name')), at(one, 'schema')])),
  }
}

function withDefaults(document: unknown, operation: unknown, schema: unknown): object {
  const name = String(at(schema, '$ref')).split('/').at(-1) ?? ''
  const { required = [], ...rest } = record(at(document, 'components', 'schemas', name))
  const filled = Object.entries(record(rest['properties']))
    .filter(([, property]) => at(property, 'default') !== undefined)
    .map(([key]) => key)
  const id = String(at(operation, 'operationId'))
  return {
    ...rest,
    title: `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`,
    description: 'The request once it is checked: defaults are filled in.',
    required: [...(Array.isArray(required) ? (required as unknown[]) : []), ...filled],
  }
}

/** `#/components/schemas/X` names no type to the compiler, `#/$defs/X` does; conditions are no types. */
function withLocalRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLocalRefs)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([key]) => !['if', 'then', 'else'].includes(key))
    .map(([key, one]) =>
      key === '$ref'
        ? [key, String(one).replace('#/components/schemas/', '#/$defs/')]
        : [key, withLocalRefs(one)],
    )
  return Object.fromEntries(entries) as unknown
}

function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? record(inner)[key] : undefined),
    value,
  )
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
