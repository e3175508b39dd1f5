import { raw } from 'express'
import type { Request, Response } from 'express'
import { refusal } from './errors.ts'
import { jsonMistake } from './json-mistake.ts'

export type ReadBody = (request: Request, response: Response) => Promise<unknown>

/**
 * Reads a body as JSON in UTF-8 and ignores its Content-Type: no-code tools and shell scripts often
 * send a wrong one.
 * @returns `undefined` if the request has no body
 */
export function jsonBodyReader(maxBytes: number): ReadBody {
  // The limit applies to the decompressed size, against compression bombs.
  const collect = raw({ type: () => true, limit: maxBytes })
  return async (request, response) => {
    await new Promise<void>((resolve, reject) => {
      collect(request, response, (error?: unknown) => {
        if (error === undefined) resolve()
        else reject(refusalFor(error, maxBytes))
      })
    })
    const body: unknown = request.body
    const type = request.get('content-type') ?? ''
    return Buffer.isBuffer(body) && body.length > 0 ? parse(body, type) : undefined
  }
}

function parse(body: Buffer, contentType: string): unknown {
  const text = decoded(body)
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw notJson(`The body is not JSON: ${jsonMistake(text, error.message, contentType)}`)
  }
}

function decoded(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw notJson('The body is not JSON: not UTF-8')
  }
}

function refusalFor(error: unknown, maxBytes: number): unknown {
  if (!isHttpError(error)) return error
  if (error.status === 413) return refusal(413, `Request body larger than ${maxBytes} bytes`)
  return notJson(`The body could not be read: ${error.message}`)
}

function notJson(msg: string) {
  return refusal(422, [{ loc: ['body'], msg, type: 'json_invalid' }])
}

function isHttpError(error: unknown): error is Error & { status: number } {
  return (
    error instanceof Error &&
    'status' in error &&
    typeof error.status === 'number' &&
    error.status >= 400 &&
    error.status < 500
  )
}
