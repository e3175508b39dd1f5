import { Router } from 'express'
import { jsonBodyReader } from './json-body.ts'
import { refusal } from './errors.ts'
import { reply } from './reply.ts'
import { contextOf } from './request-context.ts'
import { unknownPathHint, wrongMethodHint } from './routing-hints.ts'
import type { Request, RequestHandler, Response } from 'express'
import type { Effects } from '../../common/effects.ts'
import type { Authenticate } from './authenticate.ts'
import type { Endpoint } from './endpoint.ts'

interface Deps {
  readonly authenticate: Authenticate
  readonly effects: Effects
  readonly endpoints: readonly Endpoint[]
}

/**
 * One route per path of openapi.json. The order of checks is part of the API: path, method, key,
 * size, JSON, schema, then what the endpoint itself refuses.
 */
export function serveEndpoints(deps: Deps): Router {
  const { endpoints } = deps
  const router = Router()
  const served = endpoints.map(({ operation }) => operation)
  for (const [path, own] of Map.groupBy(endpoints, ({ operation }) => operation.path)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
    for (const one of own) route[one.operation.method](serve(one, deps))
    const allow = own.flatMap(({ operation: { method } }) =>
      method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
    )
    route.all((request) => {
      contextOf(request).route = path
      const hint = wrongMethodHint(request.method, request.path, served)
      throw refusal(405, hint, { Allow: allow.join(', ') })
    })
  }
  router.use((request) => {
    throw refusal(404, unknownPathHint(request.method, request.path, served))
  })
  return router
}

function serve(endpoint: Endpoint, { authenticate, effects }: Deps): RequestHandler {
  const { path, method, maxBodyBytes } = endpoint.operation
  const readBody = maxBodyBytes === null ? null : jsonBodyReader(maxBodyBytes)
  return async (request: Request, response: Response) => {
    const context = contextOf(request)
    context.route = path
    const key = await authenticate(request.headers)
    context.fields['account'] = key.account.name
    const body = readBody === null ? undefined : await readBody(request, response)
    const call = {
      path: request.params,
      query: queryOf(request),
      ...(body === undefined ? {} : { body }),
    }
    const answer = await endpoint.answer(call, {
      key,
      log: context.log,
      fields: context.fields,
      newId: () => effects.newId(),
    })
    if (method === 'get') await reply(response, answer)
    else await effects.failpoint('api.replied', () => reply(response, answer))
  }
}

/** Of a repeated parameter the last one counts. */
function queryOf(request: Request): Record<string, string> {
  const { searchParams } = new URL(request.url, 'http://localhost')
  return Object.fromEntries(searchParams)
}
