import { expect } from 'chai'
import { answerSchema, answerTypes, dereference, documented } from './http/openapi.ts'
import { createAjv } from './http/validate.ts'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonObject } from '../common/json/json-object.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or the text if it is not JSON; `undefined` if the answer has no body. */
  readonly body: unknown
}

export interface Sent {
  readonly method?: string
  readonly key?: string | null
  readonly headers?: Record<string, string>
  /** Text and bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown
}

/**
 * Sends one request over a real socket and checks the answer against openapi.json: its status must
 * be one of the call's, and its body must have all keys of the schema and no other.
 */
export async function checkedCall(url: string, path: string, sent: Sent = {}): Promise<Answered> {
  const { method = 'GET', key = null, headers = {} } = sent
  const response = await fetch(url + path, {
    method,
    headers: { ...(key === null ? {} : { 'X-API-KEY': key }), ...headers },
    ...('body' in sent ? { body: wireBody(sent.body) } : {}),
  })
  const text = await response.text()
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  const isText = type !== '' && type !== 'application/json'
  const body: unknown = isText ? text : text === '' ? undefined : JSON.parse(text)
  expect(response.headers.get('x-request-id'), 'X-Request-Id').to.match(/^[\x21-\x7e]{1,128}$/)
  if (method === 'HEAD') return { status: response.status, headers: response.headers, body }
  if (isText) checkType(method, path, response.status, type)
  else check(method, path, response.status, body)
  return { status: response.status, headers: response.headers, body }
}

function wireBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

const ajv = createAjv()
const problem = dereference({ $ref: '#/components/schemas/Problem' }) as JsonObject

function check(method: string, path: string, status: number, body: unknown): void {
  const operationId = operationAt(method, new URL(`http://localhost${path}`).pathname)
  if (status === 204) {
    expect(documentedStatuses(operationId), `${method} ${path}`).to.include('204')
    expect(body).to.equal(undefined)
    return
  }
  const validate = validatorOf(operationId, status)
  const label = `${method} ${path} ${status}: ${JSON.stringify(body).slice(0, 2_000)}`
  expect(validate(body), `${label} ${ajv.errorsText(validate.errors)}`).to.equal(true)
}

function documentedStatuses(operationId: string | null): string[] {
  const found = documented.find(({ description }) => description['operationId'] === operationId)
  return Object.keys(fieldsOf(found?.description['responses']))
}

function checkType(method: string, path: string, status: number, type: string): void {
  const operationId = operationAt(method, new URL(`http://localhost${path}`).pathname) ?? ''
  expect(answerTypes(operationId, status), `${method} ${path} ${status}`).to.include(type)
}

const validators = new Map<string, ValidateFunction>()

function validatorOf(operationId: string | null, status: number): ValidateFunction {
  const name = `${operationId} ${status}`
  const described = operationId === null ? null : answerSchema(operationId, status)
  // Paths and methods that do not exist are not in the document.
  if (described === null) expect([404, 405], name).to.include(status)
  const validate = validators.get(name) ?? ajv.compile(closed(described ?? problem))
  validators.set(name, validate)
  return validate
}

function operationAt(method: string, path: string): string | null {
  const plain = path
    .replaceAll(/\/{2,}/g, '/')
    .replace(/^\/api(?=\/)/, '')
    .replace(/(?<=.)\/+$/, '')
  const found = documented.find(
    (one) => one.method === method.toLowerCase() && templateFor(one.path).test(plain),
  )
  return found === undefined ? null : String(found.description['operationId'])
}

function templateFor(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** Answers may not have keys that the document does not name. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value)]),
  )
  const open = 'properties' in inner && !('additionalProperties' in inner)
  return (open ? { ...inner, additionalProperties: false } : inner) as T
}

export function idOf({ body }: Answered, name = 'command_id'): string {
  return String(field(body, name))
}

export function field(value: unknown, name: string): unknown {
  return fieldsOf(value)[name]
}

/** Empty if `value` is not an object. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return Object.fromEntries<unknown>(entries)
}

/** The status of a refusal, then its sentence or its mistakes as `placesOf` returns them. */
export function refusalOf(answer: Answered): unknown[] {
  const detail = field(answer.body, 'detail')
  return [answer.status, ...(typeof detail === 'string' ? [detail] : placesOf(answer))]
}

/** Each mistake of a 422: its location and its type. */
export function placesOf({ body }: Answered): string[] {
  const detail = field(body, 'detail')
  return (Array.isArray(detail) ? detail : []).map((mistake: unknown) => {
    const loc = field(mistake, 'loc')
    return `${Array.isArray(loc) ? loc.join('.') : ''} ${String(field(mistake, 'type'))}`
  })
}
