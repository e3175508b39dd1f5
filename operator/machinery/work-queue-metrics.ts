import { Gauge } from 'prom-client'
import { counter, histogram, metricsPrefix } from '../../common/runtime/metrics.ts'
import type { Registry } from 'prom-client'
import { lanes } from './lanes.ts'
import type { Lane } from './lanes.ts'

export interface WorkQueueMetrics {
  watch(read: () => Readonly<Record<Lane, number>> & { readonly longestRunningMs: number }): void
  waited(lane: Lane, seconds: number): void
  worked(lane: Lane, seconds: number): void
  retried(lane: Lane): void
}

/** Once per registry and queue. */
export function createWorkQueueMetrics(registry: Registry): WorkQueueMetrics {
  const label = ['lane'] as const
  let read: Parameters<WorkQueueMetrics['watch']>[0] = () => ({
    live: 0,
    finished: 0,
    progress: 0,
    longestRunningMs: 0,
  })
  const wait = histogram(registry, 'workqueue_wait_seconds', 'From added to started.', label)
  const work = histogram(registry, 'workqueue_work_seconds', 'From started to ended.', label)
  const retries = counter(registry, 'workqueue_retries_total', 'Keys that failed.', label)
  const depth = new Gauge({
    name: `${metricsPrefix}workqueue_depth`,
    help: 'Keys that wait for a worker.',
    labelNames: label,
    registers: [registry],
    collect() {
      const depths = read()
      for (const lane of lanes) depth.labels(lane).set(depths[lane])
    },
  })
  const longest = new Gauge({
    name: `${metricsPrefix}workqueue_longest_running_seconds`,
    help: 'Age of the oldest key at work; one that only grows is stuck.',
    registers: [registry],
    collect() {
      longest.set(read().longestRunningMs / 1000)
    },
  })
  return {
    watch(reader) {
      read = reader
    },
    waited: (lane, seconds) => wait.labels(lane).observe(seconds),
    worked: (lane, seconds) => work.labels(lane).observe(seconds),
    retried: (lane) => retries.labels(lane).inc(),
  }
}
