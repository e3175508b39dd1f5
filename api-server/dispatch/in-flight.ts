import type { Clock } from '../../common/runtime/effects.ts'
import type { UndispatchedCommand } from '../../common/store/dispatch.ts'

/**
 * The rows that are being dispatched now. New rows are claimed while others are under way, so that a
 * row whose create takes long delays none: after a quarter of a second it gives its place away. Rows
 * that have failed before have a share of their own: however many fail whenever they are tried, they
 * take a quarter of the places and 64 tries a second.
 */
export interface InFlight {
  /** What to claim next; null while the limit is reached. */
  claim(): Claim | null
  /** False where the row is under way already: its lease ended before its create did. */
  add(row: UndispatchedCommand): boolean
  remove(row: UndispatchedCommand): void
  size(): number
  /** Whether there is room for as many rows as are claimed at a time. */
  hasRoom(): boolean
}

export interface Claim {
  readonly limit: number
  readonly retries: boolean
}

/** kube-apiserver creates 393 objects/s on one connection, 778 on 16. */
const places = 64
const placeMs = 250
/** Those without a place among them: each holds a connection and a body. */
const mostUnderWay = 128
/** A row may have 512 KiB: a claim of many large ones would block the process while it is read. */
const mostClaimed = 16
const retryPlaces = 16
const retriesEveryMs = 250

export function createInFlight(clock: Clock): InFlight {
  // In the order in which they began.
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
