import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { HttpMetrics } from './metrics.ts'

export interface RequestContext {
  readonly requestId: string
  readonly log: Logger
  /** The path template of openapi.json: a metric must not have one label per id. */
  route: string
  /** Log fields besides route, status and duration. */
  readonly fields: Record<string, string>
}

interface Deps {
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: HttpMetrics
}

const contexts = new WeakMap<Request, RequestContext>()

/** Sets the request id in the answer and in all its log lines, and measures the request. */
export function requestContext({ effects, logger, metrics }: Deps): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const began = effects.clock.monotonicMs()
    const requestId = requestIdOf(request) ?? effects.newId()
    const log = logger.child({ request_id: requestId })
    const context: RequestContext = { requestId, log, route: 'unknown', fields: {} }
    contexts.set(request, context)
    response.setHeader('X-Request-Id', requestId)
    response.once('close', () => {
      const seconds = (effects.clock.monotonicMs() - began) / 1_000
      const { method } = request
      // A client that disconnects before the answer ends is logged as 499, not as 2xx.
      const status = response.writableFinished ? response.statusCode : 499
      metrics.answered({ route: context.route, method, status, seconds })
      const line = { ...context.fields, method, route: context.route, status, seconds }
      if (method === 'GET' || method === 'HEAD') log.debug('request', line)
      else log.info('request', line)
    })
    next()
  }
}

export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request)
  if (context === undefined) throw new Error('the request has no context')
  return context
}

/** A proxy may have set the request id; one with characters that could break a log line is ignored. */
function requestIdOf(request: Request): string | null {
  const sent = request.get('x-request-id')?.trim() ?? ''
  return /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : null
}
