import type { Clock } from '../../common/runtime/effects.ts'
import type { UndispatchedCommand } from '../../common/store/dispatch.ts'

/**
 * The rows that are being dispatched now. New rows are claimed while others are in flight, so that a
 * slow create delays no other row: after a quarter of a second it releases its slot. Rows that have
 * failed before have their own share: any number of them takes at most a quarter of the slots and 64
 * retries a second.
 */
export interface InFlight {
  /** @returns null while the limit is reached */
  claim(): Claim | null
  /** False if the row is in flight already, since its lease expired before its create ended. */
  add(row: UndispatchedCommand): boolean
  remove(row: UndispatchedCommand): void
  size(): number
  /** Whether there are free slots for one full claim. */
  hasRoom(): boolean
}

export interface Claim {
  readonly limit: number
  readonly retries: boolean
}

/** kube-apiserver creates 393 objects/s on one connection, 778 on 16. */
const places = 64
const placeMs = 250
/** Maximum with the rows that have released their slot: each holds a connection and a body. */
const mostUnderWay = 128
/** A row may have 512 KiB: parsing many large rows of one claim would block the event loop. */
const mostClaimed = 16
const retryPlaces = 16
const retriesEveryMs = 250

export function createInFlight(clock: Clock): InFlight {
  // The order is that of their start.
  const rows = new Map<string, { readonly startedMs: number; readonly isRetry: boolean }>()
  let retriesFromMs = -Infinity
  return {
    claim() {
      const nowMs = clock.monotonicMs()
      const { all, retries } = taken(nowMs)
      const free = Math.min(places - all, mostUnderWay - rows.size)
      if (free <= 0) return null
      const limit = Math.min(free, mostClaimed)
      if (nowMs < retriesFromMs || retries >= retryPlaces) return { limit, retries: false }
      retriesFromMs = nowMs + retriesEveryMs
      return { limit: Math.min(limit, retryPlaces - retries), retries: true }
    },
    add({ commandId, tries }) {
      if (rows.has(commandId)) return false
      rows.set(commandId, { startedMs: clock.monotonicMs(), isRetry: tries > 0 })
      return true
    },
    remove: ({ commandId }) => void rows.delete(commandId),
    size: () => rows.size,
    hasRoom() {
      const { all } = taken(clock.monotonicMs())
      return Math.min(places - all, mostUnderWay - rows.size) >= mostClaimed
    },
  }

  function taken(nowMs: number): { all: number; retries: number } {
    const young = [...rows.values()].filter(({ startedMs }) => nowMs - startedMs < placeMs)
    return { all: young.length, retries: young.filter(({ isRetry }) => isRetry).length }
  }
}
