import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { counter, histogram, metricsPrefix } from '../../common/runtime/metrics.ts'
import { gatewayRoutes } from './gateway.ts'

export type GatewayLimit = 'connections' | 'address' | 'body' | 'bodies' | 'reports' | 'requests'

export interface GatewayMetrics {
  answered(request: {
    readonly route: string
    readonly code: number
    readonly seconds: number
  }): void
  /** A limit of the gateway has refused a request or a connection. */
  readonly limited: (limit: GatewayLimit) => void
  watch(reads: {
    readonly connections: () => Promise<number>
    readonly bytesInFlight: () => number
  }): void
}

/** Follows the route of requests that wait for a command, in metrics. */
export const waiting = '?waited'

/** Once per registry. */
export function createGatewayMetrics(registry: Registry): GatewayMetrics {
  const requests = counter(registry, 'gateway_requests_total', 'Requests of runners.', [
    'route',
    'code',
  ])
  const seconds = histogram(registry, 'gateway_seconds', 'Time to answer a runner.', ['route'])
  const limits = counter(
    registry,
    'gateway_limited_total',
    'Refused by a limit: connections in all or of an address, body (413), bodies in flight (503), reports or requests of an attempt (429).',
    ['limit'],
  )
  let reads: Parameters<GatewayMetrics['watch']>[0] = {
    connections: () => Promise.resolve(0),
    bytesInFlight: () => 0,
  }
  const connections: Gauge = new Gauge({
    name: `${metricsPrefix}gateway_connections`,
    help: 'Open connections of runners.',
    registers: [registry],
    collect: async () => connections.set(await reads.connections()),
  })
  const bytes: Gauge = new Gauge({
    name: `${metricsPrefix}gateway_bytes_in_flight`,
    help: 'Bytes that bodies of requests may take at present.',
    registers: [registry],
    collect: () => bytes.set(reads.bytesInFlight()),
  })
  return {
    answered(request) {
      // An arbitrary path of a client must not become a label.
      const isKnown = gatewayRoutes.includes(request.route.replace(waiting, ''))
      const route = isKnown ? request.route : 'other'
      requests.labels(route, String(request.code)).inc()
      seconds.labels(route).observe(request.seconds)
    },
    limited: (limit) => limits.inc({ limit }),
    watch: (given) => void (reads = given),
  }
}
