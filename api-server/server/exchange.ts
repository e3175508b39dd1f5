import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { HttpMetrics } from './metrics.ts'

/** One request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** As the client sent it, without the query. */
  readonly sentPath: string
  /** Without the prefix `/api`, if the service is served below it too. */
  readonly path: string
  /** Without its `?`. */
  readonly query: string
  /** IP of the client or of the last untrusted proxy in front of it; empty once the client has disconnected. */
  readonly clientAddress: string
  /** With the request id. */
  readonly log: Logger
  /** The path template of openapi.json: a metric must not have one label per id. */
  route: string
  /** Log fields besides route, status and duration. */
  readonly fields: Record<string, string>
  /** Names and values by turns, of every answer to this request. */
  readonly headers: string[]
}

interface Deps {
  readonly effects: Pick<Effects, 'clock' | 'newId'>
  readonly logger: Logger
  readonly metrics: Pick<HttpMetrics, 'answered'>
  readonly serveUnderApi: boolean
  readonly trustedProxies: number
}

/** Sets the request id in the answer and in all its log lines, and measures the request. */
export function beginExchange(
  { effects, logger, metrics, serveUnderApi, trustedProxies }: Deps,
  request: IncomingMessage,
  response: ServerResponse,
): Exchange {
  const began = effects.clock.monotonicMs()
  const requestId = requestIdOf(request) ?? effects.newId()
  const [sentPath, query] = targetOf(request.url ?? '/')
  const exchange: Exchange = {
    ...{ request, response, sentPath, query },
    path: serveUnderApi ? withoutPrefix(sentPath) : sentPath,
    clientAddress: clientAddressOf(request, trustedProxies),
    log: logger.child({ request_id: requestId }),
    ...{ route: 'unknown', fields: {}, headers: ['X-Request-Id', requestId] },
  }
  response.on('close', () => {
    const seconds = (effects.clock.monotonicMs() - began) / 1_000
    const { method = '' } = request
    const { route, fields, log } = exchange
    // A client that disconnects before the answer ends is logged as 499, not as 2xx.
    const status = response.writableFinished ? response.statusCode : 499
    metrics.answered({ route, method, status, seconds })
    const line = { ...fields, method, route, status, seconds }
    if (method === 'GET' || method === 'HEAD') log.debug('request', line)
    else log.info('request', line)
  })
  return exchange
}

/** A proxy may have set the request id; one with characters that could break a log line is ignored. */
function requestIdOf({ headers }: IncomingMessage): string | null {
  const sent = headers['x-request-id']
  if (typeof sent !== 'string') return null
  const id = sent.trim()
  return /^[\x21-\x7e]{1,128}$/.test(id) ? id : null
}

/** Path and query. A proxy may send the whole URL (RFC 9112, section 3.2.2). */
function targetOf(target: string): [path: string, query: string] {
  if (!target.startsWith('/') && URL.canParse(target)) {
    const { pathname, search } = new URL(target)
    return [pathname, search.slice(1)]
  }
  const mark = target.indexOf('?')
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
}

function withoutPrefix(path: string): string {
  return /^\/api(?=\/|$)/i.test(path) ? path.slice('/api'.length) || '/' : path
}

/** @param hops trusted proxies, of which each appends the address that it was called from */
function clientAddressOf({ headers, socket }: IncomingMessage, hops: number): string {
  const peer = socket.remoteAddress ?? ''
  const forwarded = headers['x-forwarded-for']
  if (hops === 0 || typeof forwarded !== 'string') return peer
  const addresses = [...forwarded.split(',').map((one) => one.trim()), peer]
  return addresses.at(-1 - hops) ?? addresses[0] ?? ''
}
