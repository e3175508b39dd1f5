import Agent from 'undici/lib/dispatcher/agent.js'
import api from 'undici/lib/api/index.js'
import type { Dispatcher } from 'undici'

/**
 * `request` and `Agent` of undici without its entry, which loads mocks, caches, `fetch` and WebSockets
 * as well: 5 MB of every server's memory.
 */
export const createAgent = (options: Agent.Options): Dispatcher => new Agent(options)

export function request(
  dispatcher: Dispatcher,
  url: URL,
  options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
): Promise<Dispatcher.ResponseData> {
  return api.request.call(dispatcher, {
    ...options,
    origin: url.origin,
    path: url.pathname + url.search,
  })
}
