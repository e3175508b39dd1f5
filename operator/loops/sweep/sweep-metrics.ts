import type { Registry } from 'prom-client'
import { counter, gauge } from '../../../common/runtime/metrics.ts'
import type { SweepBacklog } from '../../../common/store/health.ts'

export type SweptKind = 'resource' | 'attempt' | 'file' | 'orphan'

export interface SweepMetrics {
  swept(kind: SweptKind): void
  sweepBacklog(kind: SweptKind, backlog: SweepBacklog): void
}

export function createSweepMetrics(registry: Registry): SweepMetrics {
  const swept = counter(registry, 'swept_total', 'What the sweep removed.', ['kind'])
  const oldest = gauge(
    registry,
    'sweep_oldest_seconds',
    'Time since the oldest of what the sweep has not removed became due; a failed file counts from its creation.',
    ['kind'],
  )
  const items = gauge(
    registry,
    'sweep_items',
    'What the sweep has not removed after its last pass: due, or failing (tried again after a backoff); counted to 10,000.',
    ['kind', 'state'],
  )
  return {
    swept: (kind) => swept.labels(kind).inc(),
    sweepBacklog(kind, { due, failing, oldestSeconds }) {
      items.labels(kind, 'due').set(due)
      items.labels(kind, 'failing').set(failing)
      oldest.labels(kind).set(oldestSeconds)
    },
  }
}
