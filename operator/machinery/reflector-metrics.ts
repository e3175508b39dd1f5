import { Gauge } from 'prom-client'
import { counter, metricsPrefix } from '../../common/runtime/metrics.ts'
import type { Registry } from 'prom-client'

interface CacheReading {
  readonly objects: number
  readonly secondsSinceContact: number
  /** Objects of which the last state could not be read. */
  readonly unreadable: number
}

/** Metrics of reflectors; `kind` is the label, and those of one kind count as one. */
export interface ReflectorMetrics {
  watch(kind: string, read: () => CacheReading): void
  relisted(kind: string): void
  reconnected(kind: string): void
  /** The cache was wrong: a lost event or a bug. */
  repaired(kind: string, count: number): void
}

/** Once per registry, for all reflectors. */
export function createReflectorMetrics(registry: Registry): ReflectorMetrics {
  const label = ['kind'] as const
  const relists = counter(registry, 'watch_relists_total', 'Lists after the first one.', label)
  const reconnects = counter(
    registry,
    'watch_reconnects_total',
    'Watches opened again, after a normal end or a failure.',
    label,
  )
  const repairs = counter(
    registry,
    'watch_repairs_total',
    'Objects in which the cache differed from the API server without reason; should stay 0.',
    label,
  )
  const reads = new Map<string, (() => CacheReading)[]>()
  computed(
    'watch_last_contact_seconds',
    'Seconds since the API server last said anything.',
    'secondsSinceContact',
    (values) => Math.max(...values),
  )
  computed('cache_objects', 'Objects in the cache.', 'objects', sum)
  computed(
    'cache_unreadable_objects',
    'Objects that the cache leaves out because they cannot be read; should stay 0.',
    'unreadable',
    sum,
  )
  return {
    watch: (kind, read) => void reads.set(kind, [...(reads.get(kind) ?? []), read]),
    relisted: (kind) => relists.labels(kind).inc(),
    reconnected: (kind) => reconnects.labels(kind).inc(),
    repaired: (kind, count) => repairs.labels(kind).inc(count),
  }

  function computed(
    name: string,
    help: string,
    reading: keyof CacheReading,
    joined: (values: readonly number[]) => number,
  ): void {
    const gauge = new Gauge({
      name: metricsPrefix + name,
      help,
      labelNames: label,
      registers: [registry],
      collect() {
        for (const [kind, all] of reads) {
          gauge.labels(kind).set(joined(all.map((read) => read()[reading])))
        }
      },
    })
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
