import { routes } from './routes.ts'
import { isWebPage, UnexpectedAnswer, webPage } from './errors.ts'
import type { Answers, Calls, Requests } from '../../common/openapi/openapi-types.ts'
import type { Route } from './routes.ts'
import type { CallOptions, Send } from './send.ts'

type OperationId = keyof Calls

/**
 * One method per call of the API, named by its operationId: first the ids in the path, then the body
 * or the query as in openapi.json, then options. Resolves with the body of the answer.
 */
export type Operations = {
  readonly [Id in OperationId]: (...given: Given<Id>) => Promise<Answers[Id]>
}

type Given<Id extends OperationId> = [
  ...(keyof Requests[Id]['path'] extends never ? [] : [id: string]),
  ...Input<Requests[Id]>,
  options?: CallOptions,
]

type Input<Request> = Request extends { body: infer Body }
  ? [body: Body]
  : Request extends { query: infer Query }
    ? keyof Query extends never
      ? []
      : [query?: Query]
    : []

/** The calls of openapi.json, sent by `send`. */
export function createOperations(send: Send): Operations {
  const methods = Object.entries(routes).map(([name, route]) => [
    name,
    (...given: unknown[]) => send(sendingFor(route, given), (response) => bodyOf(response, route)),
  ])
  return Object.fromEntries(methods) as Operations
}

function sendingFor({ method, path, takes }: Route, given: unknown[]) {
  const rest = [...given]
  const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())))
  const input = takes === 'nothing' ? undefined : rest.shift()
  const options = (rest.shift() ?? {}) as CallOptions
  return {
    ...options,
    method,
    path: filled + queryFrom((takes === 'query' ? input : options.query) ?? {}),
    ...(takes === 'body' ? { body: input ?? {} } : {}),
  }
}

type QueryValue = string | number | boolean | null | undefined | Readonly<Record<string, string>>

export function queryFrom(values: object): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values as Record<string, QueryValue>)) {
    if (value === undefined || value === null) continue
    if (typeof value !== 'object') query.set(name, String(value))
    else for (const [key, one] of Object.entries(value)) query.set(`${name}.${key}`, one)
  }
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** @throws UnexpectedAnswer if the answer is not of this API */
async function bodyOf(response: Response, { answers }: Route): Promise<unknown> {
  const text = await response.text()
  if (answers === 'nothing') return null
  if (answers === 'text') {
    if (isWebPage(response)) throw webPage(response)
    return text
  }
  const type = response.headers.get('content-type') ?? 'nothing'
  if (type.includes('json')) return JSON.parse(text) as unknown
  throw isWebPage(response, text)
    ? webPage(response)
    : new UnexpectedAnswer(
        `${response.url} answered ${type} in place of JSON; is this the address of a Cloud FFmpeg service?`,
      )
}
