import { systemClock, systemEffects } from '../../common/runtime/system-effects.ts'
import type { Effects } from '../../common/runtime/effects.ts'

const times = 100

/** Real effects with a clock that is a hundred times as fast: a wait of 15 s takes 0.15 s. */
export function fastEffects(): Effects {
  return {
    ...systemEffects(),
    clock: {
      monotonicMs: () => systemClock.monotonicMs() * times,
      wall: () => systemClock.wall(),
      schedule: (delayMs, callback) => systemClock.schedule(delayMs / times, callback),
    },
  }
}
