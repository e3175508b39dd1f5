import { raw } from 'express'
import type { Request, Response } from 'express'
import { refusal } from './errors.ts'

export type ReadBody = (request: Request, response: Response) => Promise<unknown>

/**
 * Reads a body as JSON in UTF-8 whatever its Content-Type says: no-code tools and shell scripts get
 * that header wrong more often than not.
 * @returns `undefined` where there is no body
 */
export function jsonBodyReader(maxBytes: number): ReadBody {
  // Compressed bodies count unpacked, so a small bomb stays small.
  const collect = raw({ type: () => true, limit: maxBytes })
  return async (request, response) => {
    await new Promise<void>((resolve, reject) => {
      collect(request, response, (error?: unknown) => {
        if (error === undefined) resolve()
        else reject(refusalFor(error, maxBytes))
      })
    })
    const body: unknown = request.body
    return Buffer.isBuffer(body) && body.length > 0 ? parse(body) : undefined
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'not UTF-8'
    throw notJson(`The body is not JSON: ${withoutContent(reason)}`)
  }
}

/** The parser quotes what it could not read, and that may be a signed URL. */
function withoutContent(reason: string): string {
  return reason.replace(/,? ?\.{0,3}".*$/s, '').slice(0, 200)
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
