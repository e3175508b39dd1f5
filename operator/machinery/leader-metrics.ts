import { counter, gauge } from '../../common/metrics.ts'
import type { Registry } from 'prom-client'

export interface LeaderMetrics {
  became(isLeader: boolean): void
}

export function createLeaderMetrics(registry: Registry): LeaderMetrics {
  const leading = gauge(registry, 'leader', '1 while this process holds the Lease.')
  const transitions = counter(
    registry,
    'leader_transitions_total',
    'Times this process gained or lost the Lease.',
  )
  return {
    became(isLeader) {
      leading.set(isLeader ? 1 : 0)
      transitions.inc()
    },
  }
}
