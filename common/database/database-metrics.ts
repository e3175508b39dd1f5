import type { Registry } from 'prom-client'
import { createLifecycleMetrics } from '../store/lifecycle/metrics.ts'
import type { LifecycleMetrics } from '../store/lifecycle/metrics.ts'
import { createPoolMetrics } from './connection/pool-metrics.ts'
import type { PoolMetrics } from './connection/pool-metrics.ts'
import { createHintMetrics } from './hints/listener.ts'
import type { HintMetrics } from './hints/listener.ts'

/** Metrics of a process that uses the database. */
export interface DatabaseMetrics {
  readonly pool: PoolMetrics
  readonly hints: HintMetrics
  /** Stages of commands; those that the database does not time are observed by others. */
  readonly lifecycle: LifecycleMetrics
}

/** Once per registry. */
export function createDatabaseMetrics(registry: Registry): DatabaseMetrics {
  return {
    pool: createPoolMetrics(registry),
    hints: createHintMetrics(registry),
    lifecycle: createLifecycleMetrics(registry),
  }
}
