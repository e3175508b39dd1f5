import { createOnceAMinute } from '../../common/bounded/once-a-minute.ts'
import type { UndispatchedCommand } from '../../common/store/dispatch.ts'
import type { DispatcherDeps } from './dispatcher-deps.ts'
import type { InFlight } from './in-flight.ts'

export interface ClaimedRows {
  readonly rows: readonly UndispatchedCommand[]
  /** There may be more rows than these. */
  readonly isFull: boolean
}

/** How long a crashed dispatcher holds its rows. A slow one that exceeds it gets a harmless 409. */
const leaseSeconds = 2

/** @returns claims as many rows as may be in flight; null if the database is unavailable */
export function createClaimRows(
  deps: DispatcherDeps,
  inFlight: InFlight,
): () => Promise<ClaimedRows | null> {
  const isDue = createOnceAMinute(() => deps.effects.clock.monotonicMs())
  return async () => {
    const room = inFlight.claim()
    if (room === null) return { rows: [], isFull: true }
    // Rows in flight have no resource yet and would not count.
    const liveLimit = deps.liveCommands - inFlight.size()
    const { lookAhead } = deps
    try {
      const rows = await deps.effects.failpoint('dispatch.rows_claimed', () =>
        deps.store.claimUndispatched({ ...room, liveLimit, lookAhead, leaseSeconds }),
      )
      return { rows, isFull: rows.length === room.limit }
    } catch (error) {
      deps.metrics.counted('claim_failed')
      if (isDue()) deps.logger.warn('cannot claim rows to dispatch', { error })
      return null
    }
  }
}
