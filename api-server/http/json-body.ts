import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { refusal } from './errors.ts'
import { jsonMistake } from './json-mistake.ts'

/**
 * Reads a body as JSON in UTF-8 and ignores its Content-Type: no-code tools and shell scripts often
 * send a wrong one.
 * @param maxBytes of the decompressed body, against compression bombs
 * @returns `undefined` if the request has no body
 * @throws Refusal 413, 422
 */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const { headers } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    return undefined
  }
  const body = await collect(request, maxBytes)
  return body.length > 0 ? parse(body, headers['content-type'] ?? '') : undefined
}

/** Reads all of a body that it refuses: many clients send the whole of it before they read the answer. */
function collect(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const content = decompressed(request)
    const pieces: Buffer[] = []
    let bytes = 0
    content?.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes <= maxBytes) pieces.push(piece)
      else refuse(refusal(413, `Request body larger than ${maxBytes} bytes`))
    })
    content?.on('end', () => {
      const [first] = pieces
      resolve(pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces))
    })
    content?.on('error', (error) => refuse(unreadable(error.message)))
    // The answer to a client that disconnects is discarded.
    request.on('close', () => {
      if (!request.complete) reject(unreadable('request aborted'))
    })
    if (content === null) {
      const encoding = String(request.headers['content-encoding'])
      refuse(unreadable(`unsupported content encoding "${encoding}"`))
    }

    function refuse(error: Error): void {
      content?.removeAllListeners('data').removeAllListeners('end')
      request.unpipe()
      if (request.readableEnded) reject(error)
      else request.on('end', () => reject(error)).resume()
    }
  })
}

/** null: an encoding that is not known. */
function decompressed(request: IncomingMessage): Readable | null {
  switch ((request.headers['content-encoding'] ?? 'identity').toLowerCase()) {
    case 'identity':
      return request
    case 'gzip':
      return request.pipe(createGunzip())
    case 'deflate':
      return request.pipe(createInflate())
    case 'br':
      return request.pipe(createBrotliDecompress())
    default:
      return null
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

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decoded(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw notJson('The body is not JSON: not UTF-8')
  }
}

function unreadable(why: string) {
  return notJson(`The body could not be read: ${why}`)
}

function notJson(msg: string) {
  return refusal(422, [{ loc: ['body'], msg, type: 'json_invalid' }])
}
