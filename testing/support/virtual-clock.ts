import type { Clock } from '../../common/runtime/effects.ts'

export interface VirtualClock extends Clock {
  /** Runs everything that can run while time stands still, timers that are due included. */
  settle(): Promise<void>
  /** Moves time forward, stopping at each timer on the way and settling there. */
  advance(ms: number): Promise<void>
  /** Moves from timer to timer until `predicate` holds; false where `limitMs` passed first. */
  runUntil(predicate: () => boolean, limitMs: number): Promise<boolean>
  /** Moves from timer to timer until none is left, at most `limitMs` far. */
  runUntilIdle(limitMs: number): Promise<void>
  /**
   * Moves from timer to timer until `promise` settles, and settles like it.
   * @throws where `limitMs` passed first
   */
  until<T>(promise: Promise<T>, limitMs?: number): Promise<T>
  pendingTimers(): number
}

interface Timer {
  readonly dueMs: number
  readonly order: number
  readonly callback: () => void
}

/**
 * A clock that moves only on advance. It drives any number of coroutines that wait for nothing but
 * this clock and each other; between two timers it lets all promises settle.
 *
 * @param options.random orders timers that are due at the same millisecond; without it they run in
 *   the order in which they were set
 * @param options.startMs wall time at the beginning, in Unix milliseconds
 * @param options.promisesOnly nothing that this clock drives waits for Node's streams, timers or
 *   files: then a step does not have to go round the event loop, which takes ten times as long
 */
export function createVirtualClock(
  options: { startMs?: number; random?: () => number; promisesOnly?: boolean } = {},
): VirtualClock {
  const startMs = options.startMs ?? Date.UTC(2026, 0, 1)
  const timers = new TimerHeap()
  let nowMs = 0
  let scheduled = 0
  const turn = options.promisesOnly === true ? createPromiseTurn() : macrotask

  const clock: VirtualClock = {
    monotonicMs: () => nowMs,
    wall: () => new Date(startMs + nowMs),
    schedule(delayMs, callback) {
      scheduled += 1
      const order = options.random === undefined ? scheduled : options.random()
      const timer = { dueMs: nowMs + Math.max(0, delayMs), order, callback }
      timers.push(timer)
      return () => timers.cancel(timer)
    },
    settle: () => runDue(nowMs),
    async advance(ms) {
      const endMs = nowMs + ms
      await runDue(endMs)
      nowMs = endMs
    },
    async runUntil(predicate, limitMs) {
      const endMs = nowMs + limitMs
      await turn()
      while (!predicate()) {
        const next = timers.peek()
        if (next === null || next.dueMs > endMs) {
          nowMs = endMs
          return false
        }
        await fire(next)
      }
      return true
    },
    runUntilIdle: async (limitMs) => {
      await clock.runUntil(() => timers.size() === 0, limitMs)
    },
    async until(promise, limitMs = 3_600_000) {
      let isSettled = false
      const settle = (): void => void (isSettled = true)
      promise.then(settle, settle)
      if (await clock.runUntil(() => isSettled, limitMs)) return promise
      throw new Error(`still pending after ${limitMs} ms`)
    },
    pendingTimers: () => timers.size(),
  }
  return clock

  async function runDue(endMs: number): Promise<void> {
    await turn()
    for (let next = timers.peek(); next !== null && next.dueMs <= endMs; next = timers.peek()) {
      await fire(next)
    }
  }

  async function fire(timer: Timer): Promise<void> {
    timers.cancel(timer)
    nowMs = Math.max(nowMs, timer.dueMs)
    timer.callback()
    await turn()
  }
}

/**
 * The next tick from within a microtask comes after every microtask. At times it is the event loop's
 * turn nevertheless: only there weak references are let go.
 */
function createPromiseTurn(): () => Promise<void> {
  let turns = 0
  return () => {
    turns += 1
    if (turns % turnsPerLoop === 0) return macrotask()
    return Promise.resolve().then(() => new Promise((resolve) => process.nextTick(resolve)))
  }
}

const turnsPerLoop = 200

/** A macrotask comes after every microtask, those included that microtasks queue. */
function macrotask(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Binary heap by time, then order; cancelled timers are dropped when they surface. */
class TimerHeap {
  readonly #heap: Timer[] = []
  readonly #live = new Set<Timer>()

  size(): number {
    return this.#live.size
  }

  cancel(timer: Timer): void {
    this.#live.delete(timer)
  }

  peek(): Timer | null {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (this.#live.has(top)) return top
      this.#removeTop()
    }
    return null
  }

  push(timer: Timer): void {
    this.#live.add(timer)
    this.#heap.push(timer)
    let at = this.#heap.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#swapIfBefore(at, parent)) return
      at = parent
    }
  }

  #removeTop(): void {
    const last = this.#heap.pop()
    if (last === undefined || this.#heap.length === 0) return
    this.#heap[0] = last
    for (let at = 0; ;) {
      const left = 2 * at + 1
      const right = left + 1
      const child = this.#isBefore(right, left) ? right : left
      if (!this.#swapIfBefore(child, at)) return
      at = child
    }
  }

  #isBefore(one: number, other: number): boolean {
    const a = this.#heap[one]
    const b = this.#heap[other]
    if (a === undefined || b === undefined) return false
    return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order)
  }

  #swapIfBefore(one: number, other: number): boolean {
    if (!this.#isBefore(one, other)) return false
    const a = this.#heap[one]
    const b = this.#heap[other]
    if (a === undefined || b === undefined) return false
    this.#heap[one] = b
    this.#heap[other] = a
    return true
  }
}

/** Moves by 1 ms at each reading; its timers never fire. */
export function tickingClock(): Clock {
  let nowMs = 0
  return {
    monotonicMs: () => (nowMs += 1),
    wall: () => new Date(0),
    schedule: () => () => undefined,
  }
}
