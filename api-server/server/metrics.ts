import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { Registry } from 'prom-client'
import { counter, histogram } from '../../common/runtime/metrics.ts'

export interface HttpMetrics {
  answered(facts: { route: string; method: string; status: number; seconds: number }): void
}

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const requests = counter(registry, 'http_requests_total', 'Answered requests of the REST API.', [
    'route',
    'method',
    'code',
  ])
  const durations = histogram(
    registry,
    'http_request_seconds',
    'From the first byte of a request to the last of its answer.',
    ['route'],
  )
  return {
    answered({ route, method, status, seconds }) {
      requests.inc({ route, method: methods.has(method) ? method : 'other', code: status })
      durations.observe({ route }, seconds)
    },
  }
}

/** Bounds label values: a client can send any method, and a label stays until the process ends. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** A separate port, since metrics are not public. */
export function metricsServer(registry: Registry): Server {
  return createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
}
