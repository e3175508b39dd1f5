import { createHintBus } from './hint-bus.ts'
import { channel, createHintListener } from './listener.ts'
import type { HintMetrics } from './listener.ts'
import type { ConnectionString } from '../connection/connection-string.ts'
import type { Query } from '../connection/query.ts'
import type { Effects } from '../../runtime/effects.ts'
import type { Part } from '../../runtime/lifecycle.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Hint, WorkHints } from '../../store/hints.ts'

export interface Hints extends WorkHints {
  readonly give: (hint: Hint) => void
  /** Holds the connection on which hints arrive. */
  readonly part: Part
}

/** Between two polls of a busy loop: hints wake it. */
const hintedMs = 1_000
/** A lost hint costs one such poll. */
const listeningMs = 5_000
const deafMs = 1_000

/** Notifies all processes that listen. */
export async function sendHints(query: Query, given: readonly Hint[]): Promise<void> {
  await query('give_hints', 'select pg_notify($1, hint) from unnest($2::text[]) hint', [
    channel,
    given,
  ])
}

/** @param connectionString null where only a pooler can be reached: then no hints arrive */
export function createHints(deps: {
  readonly query: Query
  readonly connectionString: ConnectionString | null
  readonly applicationName: string
  readonly effects: Effects
  readonly metrics: HintMetrics
  readonly logger: Logger
}): Hints {
  const { query, connectionString, effects, logger } = deps
  const bus = createHintBus(effects.clock, async (given) => {
    try {
      await effects.failpoint('hints.sent', () => sendHints(query, given))
    } catch (error) {
      logger.debug('NOTIFY failed', { hints: given, error })
    }
  })
  const { give, subscribe } = bus
  if (connectionString === null) {
    const nothing = { name: 'hints', start: async () => undefined, stop: async () => undefined }
    return { give, subscribe, shortestMs: () => 0, longestMs: () => deafMs, part: nothing }
  }
  const listener = createHintListener({
    ...deps,
    connectionString,
    onHint: bus.receive,
    onConnected: bus.receiveAll,
  })
  return {
    give,
    subscribe,
    shortestMs: () => (listener.isListening() ? hintedMs : 0),
    longestMs: () => (listener.isListening() ? listeningMs : deafMs),
    part: listener.part,
  }
}
