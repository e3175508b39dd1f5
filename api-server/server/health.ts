import { Router } from 'express'
import { unavailable } from '../http/errors.ts'
import { readOnlyRoute } from './read-only-route.ts'
import { reply } from './reply.ts'
import type { RequestHandler } from 'express'
import type { Store } from '../../common/store/store.ts'

export interface Readiness {
  /** Starting: answers 503. Draining: answers, but readiness fails. */
  state: 'starting' | 'serving' | 'draining'
}

interface Deps {
  readonly store: Pick<Store, 'ping'>
  readonly readiness: Readiness
}

/** The probes; they need no key. */
export function health({ store, readiness }: Deps): Router {
  const router = Router()
  readOnlyRoute(router, '/livez', async (_request, response) => {
    await reply(response, ok)
  })
  readOnlyRoute(router, '/readyz', async (_request, response) => {
    if (readiness.state === 'serving') await store.ping()
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
