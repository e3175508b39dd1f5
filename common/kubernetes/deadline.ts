import type { Clock } from '../runtime/effects.ts'

export interface Deadline {
  /** Aborts when time is up or the outer signal aborts. */
  readonly signal: AbortSignal
  /**
   * Settles as `promise` does, or rejects as soon as the signal aborts, even if the promise ignores
   * it.
   */
  race<T>(promise: Promise<T>): Promise<T>
  /** Time does not matter any more; the outer signal still does. */
  stopClock(): void
  /** Cancels the timer and ignores the outer signal. */
  release(): void
}

export class DeadlineExceeded extends Error {
  constructor(afterMs: number) {
    super(`no answer within ${afterMs} ms`)
    this.name = 'DeadlineExceeded'
  }
}

export function deadline(clock: Clock, afterMs: number, outer: AbortSignal): Deadline {
  const controller = new AbortController()
  const stopClock = clock.schedule(afterMs, () => controller.abort(new DeadlineExceeded(afterMs)))
  const onOuterAbort = (): void => {
    stopClock()
    controller.abort(outer.reason)
  }
  if (outer.aborted) onOuterAbort()
  else outer.addEventListener('abort', onOuterAbort, { once: true })
  return {
    signal: controller.signal,
    race: (promise) => raceSignal(promise, controller.signal),
    stopClock,
    release() {
      stopClock()
      outer.removeEventListener('abort', onOuterAbort)
    },
  }
}

/** Unlike `Promise.race`, leaves no listener behind on a signal that outlives the promise. */
export function raceSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortError(signal))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason })
}
