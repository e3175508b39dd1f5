import { directly } from '../../common/runtime/failpoint.ts'
import type { Effects } from '../../common/runtime/effects.ts'

export interface TestEffects extends Effects {
  /** Lets time pass: what is due fires. */
  advance(ms: number): void
}

/**
 * Waits between tries are over at once, so that a test of retries takes no time; timers of
 * `patientMs` and longer, the deadlines, only fire when the test lets time pass.
 */
export function testEffects(patientMs = 9_000): TestEffects {
  let now = 0
  const timers = new Set<{ at: number; callback: () => void }>()
  return {
    clock: {
      monotonicMs: () => now,
      wall: () => new Date(now),
      schedule(delayMs, callback) {
        const timer = { at: now + delayMs, callback }
        timers.add(timer)
        if (delayMs < patientMs) setImmediate(fire, timer)
        return () => timers.delete(timer)
      },
    },
    random: () => 0,
    newId: () => '01990000-0000-7000-8000-000000000000',
    failpoint: directly,
    advance(ms) {
      now += ms
      for (const timer of Array.from(timers)) if (timer.at <= now) fire(timer)
    },
  }

  function fire(timer: { at: number; callback: () => void }): void {
    if (!timers.delete(timer)) return
    now = Math.max(now, timer.at)
    timer.callback()
  }
}
