import { etagOf, isUnchanged } from '../http/etag.ts'
import { jsonLine } from '../http/errors.ts'
import { sendStream } from '../http/send-stream.ts'
import { cacheHeaders } from './cache-headers.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Answer } from '../http/errors.ts'
import type { StreamMetrics } from '../server/stream-metrics.ts'
import type { ApiResponse } from './request-context.ts'

interface Deps {
  readonly effects: Effects
  readonly metrics: Pick<StreamMetrics, 'ended'>
}

/** Sends an answer. Resolves at once, for a stream once its last chunk was sent. */
export type SendAnswer = (res: ApiResponse, answer: Answer) => Promise<void>

/** Sends the answers of handlers. The answer to a change passes a failpoint. */
export function createSendAnswer({ effects, metrics }: Deps): SendAnswer {
  const guard = { clock: effects.clock, onSlow: () => metrics.ended('slow') }
  return async (res, answer) => {
    const { method } = res.req
    if (method === 'GET' || method === 'HEAD') {
      if (answer.stream === undefined) return writeAnswer(res, answer)
      writeHead(res, answer, null)
      return sendStream(res, answer.stream, guard)
    }
    await effects.failpoint('api.replied', async () => {
      writeAnswer(res, answer)
      await sent(res)
    })
  }
}

/** Writes an answer that has its whole body. */
export function writeAnswer(res: ApiResponse, answer: Answer): void {
  const { req } = res
  const body = answer.text ?? (answer.body === undefined ? null : jsonLine(answer.body))
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  const hasEtag = isRead && answer.status === 200 && body !== null && answer.secret !== true
  const etag = hasEtag ? (answer.etag ?? etagOf(body)) : null
  if (etag !== null && isUnchanged(req.headers, etag)) {
    // A 304 describes no body (RFC 9110, section 15.4.5).
    writeHead(res, { ...answer, status: 304, body: undefined }, etag)
    res.removeHeader('Content-Type')
    res.end()
    return
  }
  if (body !== null && answer.text === undefined) {
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
  }
  if (body !== null) res.setHeader('Content-Length', Buffer.byteLength(body))
  else if (answer.status !== 204) res.setHeader('Content-Length', 0)
  writeHead(res, answer, etag)
  // One string: Node.js sends it together with the headers by one write.
  if (req.method === 'HEAD' || body === null) res.end()
  else res.end(body)
}

/** Sets status and headers; nothing is sent yet. */
function writeHead(res: ApiResponse, answer: Answer, etag: string | null): void {
  if (answer.release !== undefined) {
    if (res.destroyed) answer.release()
    else res.on('close', answer.release)
  }
  res.statusCode = answer.status
  const { headers } = answer
  if (headers !== undefined) {
    for (const name of Object.keys(headers)) res.setHeader(name, headers[name] ?? '')
  }
  if (etag !== null) res.setHeader('ETag', etag)
  const cache = cacheHeaders({
    isPrivate: res.locals.isPrivate,
    hasEtag: etag !== null,
    isStream: answer.stream !== undefined,
  })
  if (cache === null) return
  res.setHeader('Cache-Control', cache.cacheControl)
  if (cache.vary === '') return
  // `res.vary` parses both lists, for each poll.
  if (res.hasHeader('Vary')) res.vary(cache.vary)
  else res.setHeader('Vary', cache.vary)
}

/** Resolves once the answer was passed to the network, or the client has disconnected. */
function sent(res: ApiResponse): Promise<void> {
  return new Promise((resolve) => {
    if (res.destroyed || res.writableFinished) return resolve()
    res.once('close', resolve)
  })
}
