import type { Clock } from '../../common/runtime/effects.ts'

export interface WakeUp {
  readonly wake: () => void
  /** Waits for the next wake (also one since the last wait), the delay or the signal. */
  readonly wait: (delayMs: number, signal: AbortSignal) => Promise<void>
  /** Waits for the delay or the signal; a wake meanwhile ends the next wait. */
  readonly pause: (delayMs: number, signal: AbortSignal) => Promise<void>
}

/** Lets a loop wait for notifications. A wake between two waits is not lost. */
export function createWakeUp(clock: Clock): WakeUp {
  let pending = false
  let onWake: (() => void) | null = null

  function until(delayMs: number, signal: AbortSignal, wakes: boolean): Promise<void> {
    return new Promise((resolve) => {
      let cancel = (): void => undefined
      if (signal.aborted || (wakes && pending)) return done()
      cancel = clock.schedule(delayMs, done)
      signal.addEventListener('abort', done, { once: true })
      if (wakes) onWake = done
      function done(): void {
        cancel()
        signal.removeEventListener('abort', done)
        if (wakes) {
          pending = false
          onWake = null
        }
        resolve()
      }
    })
  }

  return {
    wake() {
      pending = true
      onWake?.()
    },
    wait: (delayMs, signal) => until(delayMs, signal, true),
    pause: (delayMs, signal) => until(delayMs, signal, false),
  }
}
