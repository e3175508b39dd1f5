import { beginAtZero, counter, gauge } from '../../../common/runtime/metrics.ts'
import type { Registry } from 'prom-client'

export interface LeaderMetrics {
  termBegan(): void
  /** `lost`: others may lead meanwhile; `released`: this process gave the Lease back. */
  termEnded(end: 'lost' | 'released'): void
}

export function createLeaderMetrics(registry: Registry): LeaderMetrics {
  const leading = gauge(registry, 'leader', '1 while this process holds the Lease.')
  const terms = counter(
    registry,
    'leader_terms_total',
    'Terms of leadership of this process, by how they ended.',
    ['end'],
  )
  beginAtZero(terms, [{ end: 'lost' }, { end: 'released' }])
  return {
    termBegan: () => leading.set(1),
    termEnded(end) {
      leading.set(0)
      terms.inc({ end })
    },
  }
}
