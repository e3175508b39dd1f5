import { Router } from 'express'
import { unavailable } from '../http/errors.ts'
import { readOnlyRoute } from './read-only-route.ts'
import { reply } from './reply.ts'
import type { RequestHandler } from 'express'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'

export interface Readiness {
  /** Starting: answers 503. Draining: answers, but readiness fails. */
  state: 'starting' | 'serving' | 'draining'
}

interface Deps {
  readonly store: Pick<Store, 'ping'>
  readonly readiness: Readiness
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/** A check of the schema takes three statements, which a probe every two seconds would repeat for nothing. */
const pingedMs = 15_000

/** The probes; they need no key. */
export function health({ store, readiness, clock }: Deps): Router {
  let validUntilMs = -Infinity
  const router = Router()
  readOnlyRoute(router, '/livez', async (_request, response) => {
    await reply(response, ok)
  })
  readOnlyRoute(router, '/readyz', async (_request, response) => {
    if (readiness.state === 'serving' && clock.monotonicMs() >= validUntilMs) {
      await store.ping()
      validUntilMs = clock.monotonicMs() + pingedMs
    }
    await reply(response, readiness.state === 'serving' ? ok : unavailable)
  })
  return router
}

/**
 * Refuses requests before the database is ready. While the process drains, answers close the
 * connection, so that the client's next one reaches another replica.
 */
export function whileServing(readiness: Readiness): RequestHandler {
  return async (_request, response, next) => {
    if (readiness.state === 'draining') response.setHeader('Connection', 'close')
    if (readiness.state === 'starting') await reply(response, unavailable)
    else next()
  }
}

const ok = { status: 200, body: { status: 'ok' } }
