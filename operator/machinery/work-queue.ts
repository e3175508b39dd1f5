import { backoff, fullJitter } from '../../common/runtime/backoff.ts'
import { createLanes, isBefore } from './lanes.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Lane } from './lanes.ts'
import type { WorkQueueMetrics } from './work-queue-metrics.ts'

/**
 * Keys to reconcile, each at most once whether it waits or runs. A key added while it runs runs
 * once more afterwards; of several delayed adds the earliest counts. A key is never given up.
 */
export interface WorkQueue {
  add(key: string, lane?: Lane): void
  addAfter(key: string, delayMs: number, lane?: Lane): void
  start(): void
  /**
   * Takes no more keys and waits for running ones; after `graceMs` its signal aborts.
   * @returns keys that were left
   */
  drain(graceMs?: number): Promise<string[]>
  /** Keys that wait, run or are due later. */
  size(): number
}

/**
 * `requeueAfterMs` is a request of a healthy key, so it resets earlier failures. A thrown error
 * counts as a failure, and the key comes back after its own growing backoff.
 */
export type WorkResult = void | { readonly requeueAfterMs: number }

export interface WorkQueueDeps {
  readonly work: (key: string, signal: AbortSignal) => Promise<WorkResult>
  /** @param attempt failures in a row, this one included */
  readonly onError: (key: string, error: unknown, attempt: number) => void
  readonly clock: Clock
  readonly random: () => number
  readonly metrics: WorkQueueMetrics
  readonly workers?: number
}

interface Entry {
  lane: Lane
  state: 'waiting' | 'running' | 'idle'
  /** Added while it ran. */
  isDirty: boolean
  sinceMs: number
  failures: number
  later: { atMs: number; cancel: () => void } | null
}

const defaultWorkers = 32
const defaultGraceMs = 5_000
const retry = { first: 500, longest: 5 * 60_000, jitter: fullJitter }

export function createWorkQueue(deps: WorkQueueDeps): WorkQueue {
  const { clock, random, metrics } = deps
  const workers = deps.workers ?? defaultWorkers
  const entries = new Map<string, Entry>()
  const lanes = createLanes()
  const running = new Map<string, number>()
  const abort = new AbortController()
  let phase: 'new' | 'started' | 'draining' = 'new'
  let onRest = (): void => undefined
  let isDispatching = false
  metrics.watch(() => ({ ...lanes.depths(), longestRunningMs: longestRunningMs() }))

  return {
    add,
    addAfter,
    start() {
      if (phase === 'new') phase = 'started'
      dispatch()
    },
    async drain(graceMs = defaultGraceMs) {
      phase = 'draining'
      const cancelGrace = clock.schedule(graceMs, () => {
        abort.abort(new Error('the work queue has stopped'))
        onRest()
      })
      await new Promise<void>((resolve) => {
        onRest = resolve
        if (running.size === 0) resolve()
      })
      cancelGrace()
      for (const entry of entries.values()) entry.later?.cancel()
      return [...entries.keys()]
    },
    size: () => entries.size,
  }

  function add(key: string, lane: Lane = 'live'): void {
    const entry = entryOf(key, lane)
    forgetLater(entry)
    if (entry.state === 'running') {
      if (!entry.isDirty || isBefore(lane, entry.lane)) entry.lane = lane
      entry.isDirty = true
    } else if (entry.state === 'idle') {
      wait(key, entry, lane)
    } else if (isBefore(lane, entry.lane)) {
      lanes.take(key, entry.lane)
      wait(key, entry, lane)
    }
    dispatch()
  }

  function addAfter(key: string, delayMs: number, lane: Lane = 'live'): void {
    if (delayMs <= 0) return add(key, lane)
    const entry = entryOf(key, lane)
    if (entry.state === 'waiting' || entry.isDirty || phase === 'draining') return
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
    const known = entries.get(key)
    if (known !== undefined) return known
    const state = 'idle'
    const fresh: Entry = { lane, state, isDirty: false, sinceMs: 0, failures: 0, later: null }
    entries.set(key, fresh)
    return fresh
  }

  function forgetLater(entry: Entry): void {
    entry.later?.cancel()
    entry.later = null
  }

  function wait(key: string, entry: Entry, lane: Lane): void {
    entry.state = 'waiting'
    entry.lane = lane
    entry.sinceMs = clock.monotonicMs()
    lanes.put(key, lane)
  }

  /** Debounced: one run should see all the changes of one page or one event. */
  function dispatch(): void {
    if (isDispatching) return
    isDispatching = true
    queueMicrotask(() => {
      isDispatching = false
      startWaiting()
    })
  }

  function startWaiting(): void {
    while (phase === 'started' && running.size < workers) {
      const key = lanes.next()
      const entry = key === null ? undefined : entries.get(key)
      if (key === null || entry === undefined) return
      void runOne(key, entry)
    }
  }

  async function runOne(key: string, entry: Entry): Promise<void> {
    const startMs = clock.monotonicMs()
    metrics.waited(entry.lane, (startMs - entry.sinceMs) / 1000)
    entry.state = 'running'
    running.set(key, startMs)
    const again = await attempt(key, entry)
    running.delete(key)
    metrics.worked(entry.lane, (clock.monotonicMs() - startMs) / 1000)
    entry.state = 'idle'
    settle(key, entry, again)
    if (running.size === 0) onRest()
    dispatch()
  }

  /** @returns milliseconds after which the key must run again, or null */
  async function attempt(key: string, entry: Entry): Promise<number | null> {
    try {
      const result = await deps.work(key, abort.signal)
      entry.failures = 0
      return result?.requeueAfterMs ?? null
    } catch (error) {
      entry.failures += 1
      metrics.retried(entry.lane)
      deps.onError(key, error, entry.failures)
      return backoff(retry, entry.failures, random())
    }
  }

  function settle(key: string, entry: Entry, againMs: number | null): void {
    if (entry.isDirty) {
      entry.isDirty = false
      forgetLater(entry)
      wait(key, entry, entry.lane)
    } else if (againMs !== null) {
      addAfter(key, againMs, entry.lane)
    } else if (entry.later === null) {
      entries.delete(key)
    }
  }

  function longestRunningMs(): number {
    const oldest = Math.min(...running.values())
    return running.size === 0 ? 0 : clock.monotonicMs() - oldest
  }
}
