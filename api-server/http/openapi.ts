import { asJsonObject } from '../../common/json/json-object.ts'
import type { JsonObject } from '../../common/json/json-object.ts'
import document from '../../common/openapi/openapi.json' with { type: 'json' }
import type { RateGroup } from '../../common/store/limits.ts'
import type { Calls } from '../../common/openapi/openapi-types.ts'

export type OperationId = keyof Calls

/** One call of `openapi.json`. */
export interface Operation {
  readonly operationId: OperationId
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Path of the document: `/v1/commands/{command_id}`. */
  readonly path: string
  /** `null`: the call has no body and ignores one. */
  readonly maxBodyBytes: number | null
  /** The call needs no key. */
  readonly open: boolean
  /** The rate bucket of the call; `null`: not limited, so that clients can always free storage. */
  readonly rateGroup: RateGroup | null
  /** A suspended account may make it: it reads, ends or deletes. */
  readonly whileSuspended: boolean
  /** The answer is a secret, so it is not kept under an Idempotency-Key. */
  readonly secretAnswer: boolean
  /** JSON Schema of `{path, query, body}`, without references. */
  readonly schema: JsonObject
}

/** The document as it is served. */
export const openapiText = `${JSON.stringify(document)}\n`

/** @throws Error if the document does not have the call: the process must not start without a route */
export function operation(operationId: OperationId): Operation {
  const found = documented.find(({ description }) => description['operationId'] === operationId)
  if (found === undefined) throw new Error(`openapi.json has no operation ${operationId}`)
  const { path, method, description } = found
  if (!isMethod(method)) throw new Error(`${operationId}: method ${method} is not served`)
  const rateGroup = rateGroupOf(description['x-rate-group'])
  const { security } = description
  const open = Array.isArray(security) && security.length === 0
  return {
    operationId,
    method,
    path,
    open,
    rateGroup,
    whileSuspended:
      method === 'get' || method === 'delete' || description['x-while-suspended'] === true,
    secretAnswer: description['x-secret-answer'] === true,
    ...requestOf(description),
  }
}

/** The schema of an answer, without references; `null` where the document names no such status. */
export function answerSchema(operationId: string, status: number): JsonObject | null {
  const content = asJsonObject(
    asJsonObject(answerOf(operationId, status)['content'])['application/json'],
  )
  return 'schema' in content ? asJsonObject(content['schema']) : null
}

/** The media types that an answer may have. */
export function answerTypes(operationId: string, status: number): string[] {
  return Object.keys(asJsonObject(answerOf(operationId, status)['content']))
}

function answerOf(operationId: string, status: number): JsonObject {
  const found = documented.find(({ description }) => description['operationId'] === operationId)
  return asJsonObject(dereference(asJsonObject(found?.description['responses'])[String(status)]))
}

/** Every call of the document. */
export const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(asJsonObject(methods)).map(([method, description]) => ({
    path,
    method,
    description: asJsonObject(description),
  })),
)

/** Replaces each `$ref`; keys beside it take precedence. The document has no cycles. */
export function dereference(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(dereference)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, ...own } = asJsonObject(schema)
  const resolved = Object.fromEntries(
    Object.entries(own).map(([key, value]) => [key, dereference(value)]),
  )
  return typeof $ref === 'string'
    ? { ...asJsonObject(dereference(find($ref))), ...resolved }
    : resolved
}

function find(reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, key) => asJsonObject(inner)[key], document)
}

function requestOf(description: JsonObject): Pick<Operation, 'maxBodyBytes' | 'schema'> {
  const list: unknown = description['parameters']
  const parameters = (Array.isArray(list) ? list : []).map((one: unknown) => asJsonObject(one))
  const path = parametersIn(parameters, 'path')
  const query = parametersIn(parameters, 'query')
  const content = asJsonObject(asJsonObject(description['requestBody'])['content'])
  const body = asJsonObject(content['application/json'])['schema']
  if (body === undefined) return { maxBodyBytes: null, schema: objectOf({ path, query }) }
  const maximum = description['x-max-body-bytes']
  if (typeof maximum !== 'number') {
    throw new Error(`${String(description['operationId'])}: x-max-body-bytes is missing`)
  }
  return { maxBodyBytes: maximum, schema: objectOf({ path, query, body: dereference(body) }) }
}

function parametersIn(parameters: JsonObject[], place: string): JsonObject {
  const own = parameters.filter((parameter) => parameter['in'] === place)
  return {
    type: 'object',
    required: own.filter((one) => one['required'] === true).map((one) => one['name']),
    properties: Object.fromEntries(own.map((one) => [one['name'], dereference(one['schema'])])),
    'x-guesses': Object.fromEntries(own.map((one) => [one['name'], one['x-guesses'] ?? []])),
  }
}

function rateGroupOf(name: unknown): RateGroup | null {
  if (name === undefined) return null
  if (name === 'submissions' || name === 'reads' || name === 'webhook requests') return name
  throw new Error(`x-rate-group ${JSON.stringify(name)} is unknown`)
}

function objectOf(properties: JsonObject): JsonObject {
  return { type: 'object', required: Object.keys(properties), properties }
}

function isMethod(text: string): text is Operation['method'] {
  return ['get', 'post', 'put', 'delete'].includes(text)
}
