import type { Registry } from 'prom-client'
import { counter, gauge } from '../../common/runtime/metrics.ts'

export interface StreamMetrics {
  opened(kind: 'events' | 'logs'): void
  closed(kind: 'events' | 'logs'): void
  refused(why: 'account' | 'server'): void
  ended(why: 'age' | 'key' | 'slow'): void
}

export function createStreamMetrics(registry: Registry): StreamMetrics {
  const open = gauge(
    registry,
    'streams',
    'Open streams: events of commands, logs that are followed.',
    ['kind'],
  )
  const refusals = counter(
    registry,
    'streams_refused_total',
    'Streams refused by the limit of the account (429) or of this server (503).',
    ['why'],
  )
  const ends = counter(
    registry,
    'streams_ended_total',
    'Streams ended by age, by an invalid key, or since the reader took nothing for 30 s (slow).',
    ['why'],
  )
  for (const kind of ['events', 'logs']) open.set({ kind }, 0)
  return {
    opened: (kind) => open.inc({ kind }),
    closed: (kind) => open.dec({ kind }),
    refused: (why) => refusals.inc({ why }),
    ended: (why) => ends.inc({ why }),
  }
}
