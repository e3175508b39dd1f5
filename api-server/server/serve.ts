import { answerFor, refusal, unavailable } from '../http/errors.ts'
import { allowOrigin } from './cors.ts'
import { beginExchange } from './exchange.ts'
import { reply, sent } from './reply.ts'
import { createRoutes } from './routes.ts'
import { unknownPathHint } from './routing-hints.ts'
import type { RequestListener } from 'node:http'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Answer } from '../http/errors.ts'
import type { Operation } from '../http/openapi.ts'
import type { StreamMetrics } from './stream-metrics.ts'
import type { Exchange } from './exchange.ts'
import type { Readiness } from './health.ts'
import type { HttpMetrics } from './metrics.ts'
import type { Route } from './routes.ts'

interface Deps {
  /** Served before the database is ready too. */
  readonly pages: readonly Route[]
  readonly routes: readonly Route[]
  /** What the hint for an unknown path may name. */
  readonly operations: readonly Operation[]
  readonly readiness: Readiness
  readonly corsOrigins: readonly string[]
  readonly serveUnderApi: boolean
  readonly trustedProxies: number
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: HttpMetrics
  readonly streamMetrics: StreamMetrics
}

/**
 * Handles the requests of one process on `node:http` itself: a router in front of it took half of the
 * processor time of a poll (`npm run bench -- b04`).
 */
export function createServe(deps: Deps): RequestListener {
  const { effects, readiness } = deps
  const page = createRoutes(deps.pages)
  const route = createRoutes(deps.routes)
  const guard = { clock: effects.clock, onSlow: () => deps.streamMetrics.ended('slow') }
  return (request, response) => {
    const exchange = beginExchange(deps, request, response)
    void serve(exchange).catch((error: unknown) => fail(exchange, error))
  }

  async function serve(exchange: Exchange): Promise<void> {
    const { method } = exchange.request
    const answer = allowOrigin(deps.corsOrigins, exchange) ?? (await answerTo(exchange))
    if (method === 'GET' || method === 'HEAD') return reply(exchange, answer, guard)
    await effects.failpoint('api.replied', async () => {
      await reply(exchange, answer, guard)
      await sent(exchange)
    })
  }

  function answerTo(exchange: Exchange): Promise<Answer> | Answer {
    const shown = page(exchange)
    if (shown !== null) return shown
    // The client's next connection reaches another replica.
    if (readiness.state === 'draining') exchange.headers.push('Connection', 'close')
    if (readiness.state === 'starting') return unavailable
    const found = route(exchange)
    if (found !== null) return found
    const { path, request } = exchange
    throw refusal(404, unknownPathHint(request.method ?? '', path, deps.operations))
  }

  /** Converts thrown errors to answers, and logs errors of the service. */
  async function fail(exchange: Exchange, error: unknown): Promise<void> {
    const { answer, log } = answerFor(error)
    if (log !== null) exchange.log[log]('request failed', { error })
    if (exchange.response.headersSent) exchange.response.destroy()
    else await reply(exchange, answer, guard)
  }
}
