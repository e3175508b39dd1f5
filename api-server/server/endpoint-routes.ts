import { refusal } from '../http/errors.ts'
import { wrongMethodHint } from './routing-hints.ts'
import { serveRequest } from './serve-request.ts'
import type { Endpoint, OpenEndpoint } from '../http/endpoint.ts'
import type { Route } from './routes.ts'
import type { ServeDeps } from './serve-request.ts'

interface Deps extends ServeDeps {
  readonly endpoints: readonly (Endpoint | OpenEndpoint)[]
}

/** One route per path of openapi.json. */
export function endpointRoutes(deps: Deps): Route[] {
  const served = deps.endpoints.map(({ operation }) => operation)
  const byPath = Map.groupBy(deps.endpoints, ({ operation }) => operation.path)
  return [...byPath].map(([path, own]) => {
    const methods = own.map(({ operation: { method } }) => method.toUpperCase())
    const allow = methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ')
    return {
      path,
      handlers: new Map(own.map((one, at) => [methods[at] ?? '', serveRequest(one, deps)])),
      wrongMethod: ({ request, path: sent }) =>
        refusal(405, wrongMethodHint(request.method ?? '', sent, served), { Allow: allow }),
    }
  })
}
