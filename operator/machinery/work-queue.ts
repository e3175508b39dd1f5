import { backoff, fullJitter } from '../../common/runtime/backoff.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Lane } from './lanes.ts'
import { createQueuedKeys } from './queued-keys.ts'
import type { Entry } from './queued-keys.ts'
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

const defaultWorkers = 32
const defaultGraceMs = 5_000
const retry = { first: 500, longest: 5 * 60_000, jitter: fullJitter }

export function createWorkQueue(deps: WorkQueueDeps): WorkQueue {
  const { clock, random, metrics, workers = defaultWorkers } = deps
  const keys = createQueuedKeys(clock, dispatch)
  const running = new Map<string, number>()
  const abort = new AbortController()
  let phase: 'new' | 'started' | 'draining' = 'new'
  let onRest = (): void => undefined
  let isDispatching = false
  metrics.watch(() => ({
    ...keys.depths(),
    longestRunningMs: longestMs(running, clock.monotonicMs()),
  }))

  return {
    add: (key, lane = 'live') => keys.add(key, lane),
    addAfter: (key, delayMs, lane = 'live') => keys.addAfter(key, delayMs, lane),
    start() {
      if (phase === 'new') phase = 'started'
      dispatch()
    },
    async drain(graceMs = defaultGraceMs) {
      phase = 'draining'
      keys.close()
      const cancelGrace = clock.schedule(graceMs, () => {
        abort.abort(new Error('the work queue has stopped'))
        onRest()
      })
      await new Promise<void>((resolve) => {
        onRest = resolve
        if (running.size === 0) resolve()
      })
      cancelGrace()
      return keys.all()
    },
    size: () => keys.size(),
  }

  /** Debounced: one run should see all the changes of one page or one event. */
  function dispatch(): void {
    if (isDispatching) return
    isDispatching = true
    queueMicrotask(startWaiting)
  }

  function startWaiting(): void {
    isDispatching = false
    while (phase === 'started' && running.size < workers) {
      const next = keys.take()
      if (next === null) return
      void runOne(next.key, next.entry)
    }
  }

  async function runOne(key: string, entry: Entry): Promise<void> {
    const startMs = clock.monotonicMs()
    metrics.waited(entry.lane, (startMs - entry.sinceMs) / 1000)
    running.set(key, startMs)
    const again = await attempt(key, entry)
    running.delete(key)
    metrics.worked(entry.lane, (clock.monotonicMs() - startMs) / 1000)
    keys.done(key, again)
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
}

/** @param startsMs when each key began to run */
function longestMs(startsMs: ReadonlyMap<string, number>, nowMs: number): number {
  return startsMs.size === 0 ? 0 : nowMs - Math.min(...startsMs.values())
}
