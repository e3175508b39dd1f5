import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { gauge, histogram, metricsPrefix } from '../../runtime/metrics.ts'

export interface PoolMetrics {
  /** @param isUp whether the statement reached the database */
  ended(statement: string, seconds: number, isUp: boolean): void
  /** @param read number of statements that wait for a connection */
  watch(read: () => number): void
}

/** Once per registry and pool. */
export function createPoolMetrics(registry: Registry): PoolMetrics {
  const seconds = histogram(
    registry,
    'database_seconds',
    'Time of a database statement, waiting for a connection included',
    ['statement'],
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  )
  let waiting = (): number => 0
  const count: Gauge = new Gauge({
    name: `${metricsPrefix}database_pool_waiting`,
    help: 'Statements that wait for a free connection',
    registers: [registry],
    collect: () => count.set(waiting()),
  })
  const up = gauge(
    registry,
    'database_up',
    '1 if the last statement reached the database, 0 if it was unavailable; 1 before the first.',
  )
  up.set(1)
  return {
    ended(statement, took, isUp) {
      seconds.observe({ statement }, took)
      up.set(isUp ? 1 : 0)
    },
    watch: (read) => void (waiting = read),
  }
}
