import type { Clock } from '../../common/runtime/effects.ts'
import { createLanes, isBefore } from './lanes.ts'
import type { Lane } from './lanes.ts'

/** Each key once, whether it waits for a worker, runs or is due later. */
export interface QueuedKeys {
  add(key: string, lane: Lane): void
  addAfter(key: string, delayMs: number, lane: Lane): void
  /** The next key that waits; it runs from now on. */
  take(): { readonly key: string; readonly entry: Entry } | null
  /** @param againMs the key must run again after so long; null: it need not */
  done(key: string, againMs: number | null): void
  /** Number of keys that wait, by lane. */
  depths(): ReturnType<ReturnType<typeof createLanes>['depths']>
  size(): number
  all(): string[]
  /** Ends the waits of keys that are due later: none is kept for later from now on. */
  close(): void
}

export interface Entry {
  lane: Lane
  state: 'waiting' | 'running' | 'idle'
  /** Added while it ran. */
  isDirty: boolean
  sinceMs: number
  failures: number
  later: { atMs: number; cancel: () => void } | null
}

/** @param onWaiting a key waits for a worker */
export function createQueuedKeys(clock: Clock, onWaiting: () => void): QueuedKeys {
  const entries = new Map<string, Entry>()
  const lanes = createLanes()
  let isClosed = false

  return {
    add,
    addAfter,
    take() {
      const key = lanes.next()
      const entry = key === null ? undefined : entries.get(key)
      if (key === null || entry === undefined) return null
      entry.state = 'running'
      return { key, entry }
    },
    done(key, againMs) {
      const entry = entries.get(key)
      if (entry === undefined) return
      entry.state = 'idle'
      if (entry.isDirty) {
        entry.isDirty = false
        forgetLater(entry)
        wait(key, entry, entry.lane)
      } else if (againMs !== null) {
        addAfter(key, againMs, entry.lane)
      } else if (entry.later === null) {
        entries.delete(key)
      }
    },
    depths: () => lanes.depths(),
    size: () => entries.size,
    all: () => [...entries.keys()],
    close() {
      isClosed = true
      for (const entry of entries.values()) forgetLater(entry)
    },
  }

  function add(key: string, lane: Lane): void {
    const entry = entryOf(key, lane)
    forgetLater(entry)
    if (entry.state === 'running') {
      if (!entry.isDirty || isBefore(lane, entry.lane)) entry.lane = lane
      entry.isDirty = true
    } else if (entry.state === 'idle' || isBefore(lane, entry.lane)) {
      if (entry.state === 'waiting') lanes.take(key, entry.lane)
      wait(key, entry, lane)
    }
    onWaiting()
  }

  function addAfter(key: string, delayMs: number, lane: Lane): void {
    if (delayMs <= 0) return add(key, lane)
    const entry = entryOf(key, lane)
    if (entry.state === 'waiting' || entry.isDirty || isClosed) return
    const atMs = clock.monotonicMs() + delayMs
    if (entry.later !== null && entry.later.atMs <= atMs) return
    forgetLater(entry)
    const cancel = clock.schedule(delayMs, () => {
      entry.later = null
      add(key, lane)
    })
    entry.later = { atMs, cancel }
  }

  function entryOf(key: string, lane: Lane): Entry {
    const entry = entries.get(key) ?? newEntry(lane)
    entries.set(key, entry)
    return entry
  }

  function wait(key: string, entry: Entry, lane: Lane): void {
    entry.state = 'waiting'
    entry.lane = lane
    entry.sinceMs = clock.monotonicMs()
    lanes.put(key, lane)
  }
}

function newEntry(lane: Lane): Entry {
  return { lane, state: 'idle', isDirty: false, sinceMs: 0, failures: 0, later: null }
}

function forgetLater(entry: Entry): void {
  entry.later?.cancel()
  entry.later = null
}
