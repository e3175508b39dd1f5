import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { Registry } from 'prom-client'
import { beginAtZero, counter, histogram } from '../../common/runtime/metrics.ts'
import type { QueuedList } from '../../common/store/limits.ts'

export interface HttpMetrics {
  answered(facts: { route: string; method: string; status: number; seconds: number }): void
  /** A submission was refused because as many commands or files of the account wait as its plan allows. */
  queueFull(list: QueuedList, plan: string): void
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
  const queueFull = counter(
    registry,
    'queue_full_total',
    'Submissions refused because the queue of their account was full.',
    ['list', 'plan'],
  )
  const seen = new Set<string>()
  return {
    queueFull: (list, plan) => queueFull.inc({ list, plan }),
    answered({ route, method: sent, status, seconds }) {
      const method = methods.has(sent) ? sent : 'other'
      const known = `${method} ${route}`
      if (!seen.has(known)) {
        seen.add(known)
        beginAtZero(
          requests,
          faults.map((code) => ({ route, method, code })),
        )
      }
      requests.inc({ route, method, code: status })
      durations.observe({ route }, seconds)
    },
  }
}

/** Bounds label values: a client can send any method, and a label stays until the process ends. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Codes that the alert on errors counts; other codes of 500 and more are not answered. */
const faults = ['500', '503'] as const

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
