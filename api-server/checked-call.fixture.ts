import { expect } from 'chai'
import document from './openapi.json' with { type: 'json' }
import { answerSchema, dereference } from './http/openapi.ts'
import { createAjv } from './http/validate.ts'
import type { JsonObject } from './http/openapi.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  /** Parsed; `undefined` where the answer had no body. */
  readonly body: unknown
}

export interface Sent {
  readonly method?: string
  readonly key?: string | null
  readonly headers?: Record<string, string>
  /** Text and bytes go as they are, everything else as JSON. */
  readonly body?: unknown
}

/**
 * Sends one request over a real socket and holds the answer against openapi.json: its status must be
 * one of the call's, its body must have each key of the schema and no other.
 */
export async function checkedCall(url: string, path: string, sent: Sent = {}): Promise<Answered> {
  const { method = 'GET', key = null, headers = {} } = sent
  const response = await fetch(url + path, {
    method,
    headers: { ...(key === null ? {} : { 'X-API-KEY': key }), ...headers },
    ...('body' in sent ? { body: wireBody(sent.body) } : {}),
  })
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  expect(response.headers.get('x-request-id'), 'X-Request-Id').to.match(/^[\x21-\x7e]{1,128}$/)
  if (method !== 'HEAD') check(method, path, response.status, body)
  return { status: response.status, headers: response.headers, body }
}

function wireBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

const ajv = createAjv()
const problem = schemaOf({ $ref: '#/components/schemas/Problem' })

function check(method: string, path: string, status: number, body: unknown): void {
  const operationId = operationAt(method, new URL(path, 'http://localhost').pathname)
  const described = operationId === null ? null : answerSchema(operationId, status)
  if (described === null) expect([404, 405], `${method} ${path}: ${status}`).to.include(status)
  const validate = ajv.compile(described === null ? problem : closed(described))
  const label = `${method} ${path} ${status}: ${JSON.stringify(body).slice(0, 2_000)}`
  expect(validate(body), `${label} ${ajv.errorsText(validate.errors)}`).to.equal(true)
}

function operationAt(method: string, path: string): string | null {
  const plain = path.replace(/^\/api(?=\/)/, '').replace(/(?<=.)\/+$/, '')
  for (const [template, methods] of Object.entries(document.paths)) {
    if (!new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(plain)) continue
    const found = Object.entries(methods).find(([name]) => name === method.toLowerCase())
    if (found !== undefined) return found[1].operationId
  }
  return null
}

function schemaOf(schema: JsonObject): JsonObject {
  const resolved = closed(dereference(schema))
  return typeof resolved === 'object' && resolved !== null ? { ...resolved } : {}
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
