import { Router } from 'express'
import { unavailable } from './errors.ts'
import { openapiText } from './openapi.ts'
import { reply } from './reply.ts'
import { contextOf } from './request-context.ts'
import type { RequestHandler } from 'express'
import type { Store } from '../../common/store/store.ts'

export interface Readiness {
  /** Starting: answers 503. Draining: answers, but no longer wants new clients. */
  state: 'starting' | 'serving' | 'draining'
}

interface Deps {
  readonly store: Pick<Store, 'ping'>
  readonly readiness: Readiness
}

/** What needs no key: probes and the description of the API. */
export function health({ store, readiness }: Deps): Router {
  const router = Router()
  router.get('/livez', async (request, response) => {
    contextOf(request).route = '/livez'
    await reply(response, ok)
  })
  router.get('/readyz', async (request, response) => {
    contextOf(request).route = '/readyz'
    if (readiness.state === 'serving') await store.ping()
    await reply(response, readiness.state === 'serving' ? ok : unavailable)
  })
  router.get('/openapi.json', (request, response) => {
    contextOf(request).route = '/openapi.json'
    response.type('application/json').send(openapiText)
  })
  return router
}

/**
 * Before the database is ready nothing can be answered; while the process drains, clients are told
 * to take a new connection, which leads them to another replica.
 */
export function whileServing(readiness: Readiness): RequestHandler {
  return async (_request, response, next) => {
    if (readiness.state === 'draining') response.setHeader('Connection', 'close')
    if (readiness.state === 'starting') await reply(response, unavailable)
    else next()
  }
}

const ok = { status: 200, body: { status: 'ok' } }
