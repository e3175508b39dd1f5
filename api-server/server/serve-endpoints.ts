import { Router } from 'express'
import { refusal } from '../http/errors.ts'
import { contextOf } from './request-context.ts'
import { unknownPathHint, wrongMethodHint } from './routing-hints.ts'
import { serveRequest } from './serve-request.ts'
import type { Endpoint, OpenEndpoint } from '../http/endpoint.ts'
import type { ServeDeps } from './serve-request.ts'

interface Deps extends ServeDeps {
  readonly endpoints: readonly (Endpoint | OpenEndpoint)[]
}

/** One route per path of openapi.json. Unknown paths answer 404 with a hint before authentication. */
export function serveEndpoints(deps: Deps): Router {
  const { endpoints } = deps
  const router = Router()
  const served = endpoints.map(({ operation }) => operation)
  for (const [path, own] of Map.groupBy(endpoints, ({ operation }) => operation.path)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
    for (const one of own) route[one.operation.method](serveRequest(one, deps))
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
