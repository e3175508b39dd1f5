import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { Registry } from 'prom-client'

export interface Health {
  /** null = fine, else what is not. */
  readonly live: () => string | null
  readonly ready: () => string | null
}

/**
 * Neither probe reads the backlog or the age of work: a burst must not get its own controller
 * killed. A follower is ready; when the database is unavailable, requests get 503, and the pod
 * stays in the Service.
 */
export function createProbeServer(registry: Registry, { live, ready }: Health): Server {
  return createServer((request, response) => {
    const answer = (problem: string | null): void => {
      response.writeHead(problem === null ? 200 : 503, { 'Content-Type': 'text/plain' })
      response.end(`${problem ?? 'ok'}\n`)
    }
    switch (request.url?.split('?')[0]) {
      case '/livez':
        return answer(live())
      case '/readyz':
        return answer(ready())
      case '/metrics':
        registry.metrics().then(
          (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
          () => response.writeHead(500).end(),
        )
        return
      default:
        response.writeHead(404).end()
    }
  })
}
