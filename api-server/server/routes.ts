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

/** Answers a request; null if no route has this path. @throws Refusal, URIError if a parameter is badly encoded */
export type AnswerRoute = (exchange: Exchange) => Promise<Answer> | null

/** A route whose path is cut once for all requests. */
interface Cut {
  readonly route: Route
  /** In lower case; null for a parameter. */
  readonly segments: readonly (string | null)[]
  readonly names: readonly string[]
}

/**
 * Finds the route of a request and names it for metrics. Letter case and a slash at the end are
 * ignored; the first of two routes that match counts.
 */
export function createRoutes(routes: readonly Route[]): AnswerRoute {
  const bySegments = Map.groupBy(routes.map(cut), ({ segments }) => segments.length)
  return (exchange) => {
    const { path } = exchange
    const sent = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/')
    const one = bySegments.get(sent.length)?.find(({ segments }) => fits(segments, sent))
    if (one === undefined) return null
    const { route, names } = one
    exchange.route = route.path
    const { method = '' } = exchange.request
    const handle = route.handlers.get(method === 'HEAD' ? 'GET' : method)
    if (handle === undefined) throw route.wrongMethod(exchange)
    return handle(exchange, names.length === 0 ? none : parametersOf(one, sent))
  }
}

const none: Parameters = {}

function cut(route: Route): Cut {
  const segments = route.path.split('/')
  const isParameter = (segment: string) => segment.startsWith('{')
  return {
    route,
    segments: segments.map((one) => (isParameter(one) ? null : one.toLowerCase())),
    names: segments.filter(isParameter).map((one) => one.slice(1, -1)),
  }
}

function fits(segments: readonly (string | null)[], sent: readonly string[]): boolean {
  return segments.every((segment, index) => {
    const own = sent[index] ?? ''
    if (segment === null) return own !== ''
    return segment === own || segment === own.toLowerCase()
  })
}

function parametersOf({ segments, names }: Cut, sent: readonly string[]): Parameters {
  const parameters: Record<string, string> = {}
  let read = 0
  for (const [index, segment] of segments.entries()) {
    const value = sent[index] ?? ''
    if (segment !== null) continue
    parameters[names[read++] ?? ''] = value.includes('%') ? decodeURIComponent(value) : value
  }
  return parameters
}
