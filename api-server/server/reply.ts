import { etagOf, isUnchanged } from '../http/etag.ts'
import { sendStream } from '../http/send-stream.ts'
import type { Answer } from '../http/errors.ts'
import type { StreamGuard } from '../http/send-stream.ts'
import type { Exchange } from './exchange.ts'

/** Begins to send an answer. Resolves at once, or a stream's once its last chunk was sent. */
export async function reply(exchange: Exchange, answer: Answer, guard: StreamGuard): Promise<void> {
  const { request, response } = exchange
  if (answer.release !== undefined) {
    if (response.destroyed) answer.release()
    else response.on('close', answer.release)
  }
  const headers = [...exchange.headers]
  const own = answer.headers ?? {}
  for (const name of Object.keys(own)) headers.push(name, own[name] ?? '')
  if (answer.stream !== undefined) {
    response.writeHead(answer.status, headers)
    return sendStream(response, answer.stream, guard)
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const body = bodyOf(answer, headers)
  if (body === null) {
    if (answer.status !== 204) headers.push('Content-Length', '0')
    response.writeHead(answer.status, headers).end()
    return
  }
  if (isRead && answer.status === 200) {
    const given = answer.headers?.['ETag']
    const etag = given ?? etagOf(body)
    if (given === undefined) headers.push('ETag', etag)
    if (isUnchanged(request.headers, etag)) {
      response.writeHead(304, withoutType(headers)).end()
      return
    }
  }
  headers.push('Content-Length', String(Buffer.byteLength(body)))
  response.writeHead(answer.status, headers)
  // One string: Node.js sends it together with the headers by one write.
  if (request.method === 'HEAD') response.end()
  else response.end(body)
}

/** Resolves once the answer was passed to the network, or the client has disconnected. */
export function sent({ response }: Exchange): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed || response.writableFinished) return resolve()
    response.once('close', resolve)
  })
}

/** Adds the type of JSON to `headers`. */
function bodyOf({ text, body }: Answer, headers: string[]): string | Uint8Array | null {
  if (text !== undefined) return text
  if (body === undefined) return null
  headers.push('Content-Type', 'application/json; charset=utf-8')
  return JSON.stringify(body)
}

/** A 304 describes no body (RFC 9110, section 15.4.5). */
function withoutType(headers: readonly string[]): string[] {
  const at = headers.indexOf('Content-Type')
  return at < 0 ? [...headers] : headers.toSpliced(at, 2)
}
