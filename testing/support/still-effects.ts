import { systemClock, systemEffects } from '../../common/runtime/system-effects.ts'
import { until } from './until.ts'
import type { Effects } from '../../common/runtime/effects.ts'

export interface StillEffects extends Effects {
  /** Lets time pass: what is due fires. */
  advance(ms: number): void
  /** Lets seconds pass until the promise settles, and settles like it. */
  until<T>(promise: Promise<T>): Promise<T>
}

/**
 * Real effects with a clock that stands still: for what waits for time and for a real server, whose answers no
 * virtual clock waits for. Short waits, such as those between two reads of a database, are over at once; timers
 * of `patientMs` and longer, the deadlines, fire only when the test lets time pass.
 */
export function stillEffects(patientMs = 9_000): StillEffects {
  let now = 0
  const timers = new Set<{ at: number; callback: () => void }>()
  const effects: StillEffects = {
    ...systemEffects(),
    clock: {
      wall: () => systemClock.wall(),
      monotonicMs: () => now,
      schedule(delayMs, callback) {
        if (delayMs < patientMs) return systemClock.schedule(1, callback)
        const timer = { at: now + delayMs, callback }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
    },
    advance(ms) {
      now += ms
      for (const timer of Array.from(timers)) {
        if (timer.at <= now && timers.delete(timer)) timer.callback()
      }
    },
    async until(promise) {
      let isSettled = false
      const settle = (): void => void (isSettled = true)
      promise.then(settle, settle)
      await until(() => {
        effects.advance(1_000)
        return isSettled
      })
      return promise
    },
  }
  return effects
}
