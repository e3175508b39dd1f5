import { ObjectStoreUnavailable } from '../../common/storage/object-store.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import { problemBody } from './refusal-codes.ts'
import type { ProblemCode, ValidationMistake } from '../../common/openapi/openapi-types.ts'

/** An HTTP response. `body: undefined` sends no body. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged in place of `body`; the headers name its type. */
  readonly text?: string | Uint8Array
  /** The validator of `text`, where it is known; otherwise the hash of the body. */
  readonly etag?: string
  /** Chunks in order, in place of `body`, until they end or `gone` aborts since the client disconnected. */
  readonly stream?: (gone: AbortSignal) => AsyncIterable<string | Uint8Array>
  /** The answer has a secret or a signed URL, so that not even the browser may keep it. */
  readonly secret?: true
  /** Runs once the answer was sent or the client has disconnected. */
  readonly release?: () => void
}

/** A body that is JSON text already. */
export function jsonText(text: string, etag: string): Answer {
  return { status: 200, body: undefined, text, etag, headers: jsonHeaders }
}

/** The newline keeps the prompt of a shell off the line of the answer. */
export function jsonLine(body: unknown): string {
  return `${JSON.stringify(body)}\n`
}

const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' }

/** A refusal that is part of the API; everything else that is thrown answers 500. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor(answer: Answer, options?: ErrorOptions) {
    super(`answered ${answer.status}`, options)
    this.name = 'Refusal'
    this.answer = answer
  }
}

export function refusal(
  status: number,
  detail: string | readonly ValidationMistake[],
  headers: Readonly<Record<string, string>> = {},
  code?: ProblemCode,
): Refusal {
  return new Refusal({ status, body: problemBody(status, detail, code), headers })
}

/** 404 that names the object as the request does; ids of other accounts and unknown ones are answered alike. */
export function notFound(what: string, id: string): Refusal {
  return refusal(404, `${what} not found: ${id.slice(0, 64)}`)
}

/** `log`: true for an error of the service, not of the client. */
export function answerFor(error: unknown): { answer: Answer; log: 'error' | 'warn' | null } {
  if (error instanceof Refusal) return { answer: error.answer, log: null }
  if (error instanceof DatabaseUnavailable || error instanceof ObjectStoreUnavailable) {
    return { answer: unavailable, log: 'warn' }
  }
  if (isUndecodablePath(error)) {
    return {
      answer: { status: 404, body: problemBody(404, 'The path must be percent-encoded UTF-8') },
      log: null,
    }
  }
  return { answer: { status: 500, body: problemBody(500, 'Internal error') }, log: 'error' }
}

export const unavailable: Answer = {
  status: 503,
  body: problemBody(503, 'Service temporarily unavailable'),
  headers: { 'Retry-After': '1' },
}

/** A path such as `/v1/commands/%zz`. */
function isUndecodablePath(error: unknown): boolean {
  return error instanceof URIError
}
