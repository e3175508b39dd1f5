import type { Request, RequestHandler, Response } from 'express'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { AuthenticatedKey } from '../../common/store/accounts.ts'
import type { HttpMetrics } from '../server/metrics.ts'

/** The facts of one request in `res.locals`, which each middleware may add to. */
export interface Locals {
  /** Logs with the request id. */
  readonly log: Logger
  /** The path template of openapi.json: a metric must not have one label per id. */
  route: string
  /** Log fields besides route, status and duration. */
  readonly fields: Record<string, string>
  /** Whether the route needs a key, also where the request has none. */
  isPrivate: boolean
  /** The key of the caller, once it is verified. */
  key?: AuthenticatedKey
  /** The parsed body, if the call has one. */
  body?: unknown
}

export type Params = Record<string, string>

export type ApiRequest = Request<Params, unknown, unknown, unknown, Locals>
export type ApiResponse = Response<unknown, Locals>
export type ApiHandler = RequestHandler<Params, unknown, unknown, unknown, Locals>

interface Deps {
  readonly effects: Pick<Effects, 'clock' | 'newId'>
  readonly logger: Logger
  readonly metrics: Pick<HttpMetrics, 'answered'>
  readonly serveUnderApi: boolean
}

/**
 * Sets the request id in the answer and in all its log lines, measures the request, and removes the prefix `/api` from
 * its URL where the service is served below it too.
 */
export function requestContext({ effects, logger, metrics, serveUnderApi }: Deps): ApiHandler {
  return (req, res, next) => {
    const began = effects.clock.monotonicMs()
    const requestId = requestIdOf(req) ?? effects.newId()
    res.locals = {
      log: logger.child({ request_id: requestId }),
      route: 'unknown',
      fields: {},
      isPrivate: false,
    }
    res.setHeader('X-Request-Id', requestId)
    // Browsers must not guess the type of an answer, nor of an error.
    res.setHeader('X-Content-Type-Options', 'nosniff')
    req.url = servedUrl(req.url, serveUnderApi)
    res.on('close', () => {
      const seconds = (effects.clock.monotonicMs() - began) / 1_000
      const { method } = req
      const { route, fields, log } = res.locals
      // A client that disconnects before the answer ends is logged as 499, not as 2xx.
      const status = res.writableFinished ? res.statusCode : 499
      metrics.answered({ route, method, status, seconds })
      const line = { ...fields, method, route, status, seconds }
      if (method === 'GET' || method === 'HEAD') log.debug('request', line)
      else log.info('request', line)
    })
    next()
  }
}

/** The path as the client sent it, with the prefix `/api`, without the query. */
export function sentPathOf({ originalUrl }: Pick<ApiRequest, 'originalUrl'>): string {
  const path = relativeUrl(originalUrl)
  const mark = path.indexOf('?')
  return mark < 0 ? path : path.slice(0, mark)
}

/** The query as the client sent it, without its `?`. */
export function queryOf({ url }: Pick<ApiRequest, 'url'>): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

/** A proxy may have set the request id; one with characters that could break a log line is ignored. */
function requestIdOf({ headers }: ApiRequest): string | null {
  const sent = headers['x-request-id']
  if (typeof sent !== 'string') return null
  const id = sent.trim()
  return /^[\x21-\x7e]{1,128}$/.test(id) ? id : null
}

/** A base URL that ends with a slash. Pages keep theirs: a redirect to `//docs` leads to another host. */
const slashesBeforeCalls = /^(?<api>(?:\/+api)?)\/+(?=v1\/)/i

function servedUrl(url: string, underApi: boolean): string {
  const path = relativeUrl(url).replace(slashesBeforeCalls, '$<api>/')
  if (!underApi || !/^\/api(?=[/?]|$)/i.test(path)) return path
  const rest = path.slice('/api'.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** A proxy may send the whole URL (RFC 9112, section 3.2.2). */
function relativeUrl(url: string): string {
  if (url.startsWith('/') || !URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}
