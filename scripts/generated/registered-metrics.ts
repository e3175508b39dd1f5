import type { Registry } from 'prom-client'
import { createDispatchMetrics } from '../../api-server/dispatch/dispatch-metrics.ts'
import { createPauseMetrics } from '../../api-server/limits/pause-metrics.ts'
import { createHttpMetrics } from '../../api-server/server/metrics.ts'
import { createStreamMetrics } from '../../api-server/server/stream-metrics.ts'
import { createUnknownKeyMetrics } from '../../api-server/server/unknown-keys.ts'
import { createWebhookMetrics } from '../../api-server/webhooks/webhook-metrics.ts'
import { openDatabase } from '../../common/database/open-database.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { createLogger } from '../../common/runtime/logger.ts'
import { createRegistry } from '../../common/runtime/metrics.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { createControllerMetrics } from '../../operator/apply/controller-metrics.ts'
import { measureLimits } from '../../operator/gateway/limit-metrics.ts'
import { createServerMetrics } from '../../operator/gateway/server-metrics.ts'
import { createRetentionMetrics } from '../../operator/loops/retention/retention-metrics.ts'
import { createLeaderMetrics } from '../../operator/machinery/election/leader-metrics.ts'
import { createReflectorMetrics } from '../../operator/machinery/reflector/reflector-metrics.ts'
import { createWorkQueueMetrics } from '../../operator/machinery/work-queue-metrics.ts'
import { createWarmMetrics } from '../../operator/warm/warm-metrics.ts'

const effects = systemEffects()
const { clock } = effects
const logger = createLogger({ component: 'generate', level: 'error', clock })

/** All metrics of the two servers as they register them; nothing is connected. */
export async function registeredMetrics(): Promise<Readonly<Record<Server, Registry>>> {
  const api = await common('api-server')
  createDispatchMetrics(api)
  createHttpMetrics(api)
  createPauseMetrics(api)
  createStreamMetrics(api)
  createUnknownKeyMetrics(api)
  createWebhookMetrics(api)
  createKubeMetrics(api)
  const operator = await common('operator')
  createControllerMetrics(operator, { stage: () => undefined })
  createRetentionMetrics(operator)
  createLeaderMetrics(operator)
  createReflectorMetrics(operator)
  createWorkQueueMetrics(operator)
  createWarmMetrics(operator)
  createServerMetrics(operator, { connections: () => Promise.resolve(0), bytesInFlight: () => 0 })
  measureLimits(operator, { clock, logger })
  createKubeMetrics(operator).watchRate(() => 0)
  return { 'api-server': api, operator }
}

export type Server = 'api-server' | 'operator'

async function common(component: Server): Promise<Registry> {
  const registry = createRegistry({ component, version: '' })
  const connectionString = 'postgres://localhost/none'
  const { database } = openDatabase({
    connectionString,
    directConnectionString: connectionString,
    maxConnections: 1,
    statementTimeoutMs: 1,
    priorityAgeSeconds: 1,
    applicationName: component,
    clock,
    effects,
    logger,
    registry,
    installation: null,
  })
  await database.close()
  return registry
}
