import type { Registry } from 'prom-client'
import { gauge } from '../../common/runtime/metrics.ts'
import { pausable } from '../../common/store/administration/pauses.ts'
import type { Pause } from '../../common/store/administration/pauses.ts'

export interface PauseMetrics {
  /** All that is paused now. */
  read(pauses: readonly Pause[]): void
}

const whats = [...pausable, 'account'] as const

export function createPauseMetrics(registry: Registry): PauseMetrics {
  const paused = gauge(
    registry,
    'paused',
    '1 while an administrator has paused a part of the service, or the queue of any account (what="account").',
    ['what'],
  )
  const read: PauseMetrics['read'] = (pauses) => {
    for (const what of whats)
      paused.labels(what).set(pauses.some((each) => each.what === what) ? 1 : 0)
  }
  read([])
  return { read }
}
