import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { counter, histogram, metricsPrefix } from '../../common/runtime/metrics.ts'
import { gatewayRoutes } from './gateway.ts'

interface Reads {
  readonly connections: () => Promise<number>
  readonly bytesInFlight: () => number
}

/** Follows the route of requests that wait for a command, in metrics. */
export const waiting = '?waited'

/** Once per registry. @returns observes an answered request */
export function createServerMetrics(
  registry: Registry,
  reads: Reads,
): (answered: { route: string; code: number; seconds: number }) => void {
  const requests = counter(registry, 'gateway_requests_total', 'Requests of runners.', [
    'route',
    'code',
  ])
  const seconds = histogram(registry, 'gateway_seconds', 'Time to answer a runner.', ['route'])
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
  return (answered) => {
    // An arbitrary path of a client must not become a label.
    const isKnown = gatewayRoutes.includes(answered.route.replace(waiting, ''))
    const route = isKnown ? answered.route : 'other'
    requests.labels(route, String(answered.code)).inc()
    seconds.labels(route).observe(answered.seconds)
  }
}
