import { waitFor } from '../../common/runtime/wait-for.ts'
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
    return waitFor(clock, { ms: delayMs, signal }, (done) => {
      if (!wakes) return () => undefined
      onWake = done
      if (pending) done()
      return () => {
        pending = false
        onWake = null
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
