import { systemClock, systemEffects } from '../../common/runtime/system-effects.ts'
import type { Clock, Effects } from '../../common/runtime/effects.ts'

const times = 100

/**
 * Real effects with a clock that is a hundred times as fast: a wait of 15 s takes 0.15 s. Tests that
 * wait on a virtual clock cannot reach a real database or socket meanwhile.
 */
export function fastEffects(): Effects {
  const schedule: Clock['schedule'] = (delayMs, callback) =>
    systemClock.schedule(delayMs / times, callback)
  return {
    ...systemEffects(),
    clock: {
      ...systemClock,
      monotonicMs: () => systemClock.monotonicMs() * times,
      schedule,
    },
  }
}
