import { isUtf8 } from 'node:buffer'
import { raw } from 'express'
import { refusal } from '../http/errors.ts'
import { duplicateKey } from '../json/duplicate-key.ts'
import { formMistake, jsonMistake } from '../json/json-mistake.ts'
import type { ApiHandler } from './request-context.ts'

/**
 * Reads a body as JSON in UTF-8 into `res.locals.body`, and ignores its Content-Type with its charset, unlike
 * `express.json`: no-code tools and shell scripts often send a wrong one.
 * @param maxBytes of the decompressed body, against compression bombs; null: the call has no body
 * @returns middleware that refuses by 413 and 422, once it has read the whole body: many clients send all of it before
 *   they read the answer
 */
export function jsonBody(maxBytes: number | null): ApiHandler[] {
  if (maxBytes === null) return []
  const read = raw({ type: () => true, limit: maxBytes })
  return [
    (req, res, next) =>
      read(req, res, (error?: unknown) => {
        if (error !== undefined) return next(unreadable(error, maxBytes))
        const bytes: unknown = req.body
        try {
          if (Buffer.isBuffer(bytes) && bytes.length > 0) {
            res.locals.body = parse(bytes, req.headers['content-type'] ?? '')
          }
        } catch (mistake) {
          return next(mistake)
        }
        next()
      }),
  ]
}

function parse(bytes: Buffer, contentType: string): unknown {
  if (!isUtf8(bytes)) {
    const form = formMistake(bytes.toString('latin1', 0, 1_024), contentType)
    throw notJson(`The body is not JSON: ${form ?? 'it is not UTF-8'}`)
  }
  // The decoder leaves out a byte order mark.
  const text = new TextDecoder().decode(bytes)
  const body = parsed(text, contentType)
  const duplicate = duplicateKey(text)
  if (duplicate !== null) throw notJson(`The body is not clear: ${duplicate}`)
  return body
}

function parsed(text: string, contentType: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw notJson(`The body is not JSON: ${jsonMistake(text, error.message, contentType)}`)
  }
}

function unreadable(error: unknown, maxBytes: number): unknown {
  if (!(error instanceof Error)) return error
  if ('type' in error && error.type === 'entity.too.large') {
    return refusal(
      413,
      `Request body larger than ${maxBytes} bytes: send files to the upload_urls of POST /v1/files/init-upload, and long lists in several calls`,
    )
  }
  return notJson(`The body could not be read: ${error.message}`)
}

function notJson(msg: string) {
  return refusal(422, [{ loc: ['body'], msg, type: 'json_invalid' }])
}
