import { refusal } from '../http/errors.ts'
import type { Answer, Refusal } from '../http/errors.ts'
import type { Exchange } from './exchange.ts'

/** A path and what answers it. */
export interface Route {
  /** As in openapi.json: `/v1/commands/{command_id}`. */
  readonly path: string
  /** By method in upper case; GET answers HEAD too. */
  readonly handlers: ReadonlyMap<string, Handle>
  /** The answer to another method. */
  readonly wrongMethod: (exchange: Exchange) => Refusal
}

export type Handle = (exchange: Exchange, parameters: Parameters) => Promise<Answer>

/** The values of a path's parameters, decoded. */
export type Parameters = Readonly<Record<string, string>>

/** A page or probe: GET and HEAD, and 405 for the rest. */
export function page(
  path: string,
  answer: (exchange: Exchange) => Answer | Promise<Answer>,
): Route {
  return {
    path,
    handlers: new Map([['GET', async (exchange) => answer(exchange)]]),
    wrongMethod: () => refusal(405, `Method not allowed: use GET ${path}`, { Allow: 'GET, HEAD' }),
  }
}

/** @throws Refusal, URIError if a parameter is badly encoded; null if no route has this path */
export type Find = (exchange: Exchange) => (() => Promise<Answer>) | null

/**
 * Finds the route of a request and names it for metrics. Letter case and a slash at the end are
 * ignored; the first of two routes that match counts.
 */
export function createRoutes(routes: readonly Route[]): Find {
  const bySegments = Map.groupBy(
    routes.map((route) => ({ route, segments: route.path.toLowerCase().split('/') })),
    ({ segments }) => segments.length,
  )
  return (exchange) => {
    const { path, request } = exchange
    const sent = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/')
    for (const { route, segments } of bySegments.get(sent.length) ?? []) {
      if (!segments.every((segment, at) => fits(segment, sent[at] ?? ''))) continue
      exchange.route = route.path
      const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '')
      const handle = route.handlers.get(method)
      if (handle === undefined) throw route.wrongMethod(exchange)
      const parameters = parametersOf(route.path.split('/'), sent)
      return () => handle(exchange, parameters)
    }
    return null
  }
}

function fits(segment: string, sent: string): boolean {
  return segment.startsWith('{') ? sent !== '' : segment === sent || segment === sent.toLowerCase()
}

function parametersOf(segments: readonly string[], sent: readonly string[]): Parameters {
  const parameters: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    if (segment.startsWith('{')) {
      parameters[segment.slice(1, -1)] = decodeURIComponent(sent[at] ?? '')
    }
  }
  return parameters
}
