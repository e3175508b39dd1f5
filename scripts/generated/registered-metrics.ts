import type { Registry } from 'prom-client'
import { apiServerMetrics } from '../../api-server/metrics.ts'
import { createRegistry } from '../../common/runtime/metrics.ts'
import { operatorMetrics } from '../../operator/metrics.ts'

export type Server = 'api-server' | 'operator'

/** All metrics of the two servers, as their programs register them. */
export function registeredMetrics(): Readonly<Record<Server, Registry>> {
  return {
    'api-server': registered('api-server', apiServerMetrics),
    operator: registered('operator', operatorMetrics),
  }
}

function registered(component: Server, register: (registry: Registry) => unknown): Registry {
  const registry = createRegistry({ component, version: '' })
  register(registry)
  return registry
}
