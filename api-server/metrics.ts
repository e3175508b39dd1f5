import type { Registry } from 'prom-client'
import { createDatabaseMetrics } from '../common/database/database-metrics.ts'
import { createKubeMetrics } from '../common/kubernetes/kube-metrics.ts'
import { createDispatchMetrics } from './dispatch/dispatch-metrics.ts'
import { createPauseMetrics } from './limits/pause-metrics.ts'
import { createHttpMetrics } from './server/metrics.ts'
import { createStreamMetrics } from './server/stream-metrics.ts'
import { createUnknownKeyMetrics } from './server/unknown-keys.ts'
import { createWebhookMetrics } from './webhooks/webhook-metrics.ts'

/** Registers all metrics of the API server, once per registry. */
export function apiServerMetrics(registry: Registry) {
  return {
    database: createDatabaseMetrics(registry),
    kube: createKubeMetrics(registry),
    dispatch: createDispatchMetrics(registry),
    pauses: createPauseMetrics(registry),
    http: createHttpMetrics(registry),
    streams: createStreamMetrics(registry),
    unknownKeys: createUnknownKeyMetrics(registry),
    webhooks: createWebhookMetrics(registry),
  }
}

export type ApiServerMetrics = ReturnType<typeof apiServerMetrics>
