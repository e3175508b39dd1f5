import type { Registry } from 'prom-client'
import { createDatabaseMetrics } from '../common/database/database-metrics.ts'
import { createKubeMetrics, createRateMetric } from '../common/kubernetes/kube-metrics.ts'
import { createControllerMetrics } from './controller/controller-metrics.ts'
import { createGatewayMetrics } from './gateway/gateway-metrics.ts'
import { createRetentionMetrics } from './loops/retention/retention-metrics.ts'
import { createLeaderMetrics } from './machinery/election/leader-metrics.ts'
import { createReflectorMetrics } from './machinery/reflector/reflector-metrics.ts'
import { createWorkQueueMetrics } from './machinery/work-queue-metrics.ts'
import { createWarmMetrics } from './warm/warm-metrics.ts'

export type OperatorMetrics = ReturnType<typeof operatorMetrics>

/** Registers all metrics of the operator, once per registry. */
export function operatorMetrics(registry: Registry) {
  const database = createDatabaseMetrics(registry)
  return {
    database,
    kube: createKubeMetrics(registry),
    rate: createRateMetric(registry),
    reflector: createReflectorMetrics(registry),
    leader: createLeaderMetrics(registry),
    gateway: createGatewayMetrics(registry),
    queue: createWorkQueueMetrics(registry),
    controller: createControllerMetrics(registry, database.lifecycle),
    warm: createWarmMetrics(registry),
    retention: createRetentionMetrics(registry),
  }
}
