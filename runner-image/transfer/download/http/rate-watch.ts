import type { Clock } from '../../../../common/runtime/effects.ts'

export interface RateWatch {
  add(bytes: number): void
  stop(): void
}

export const slowest = { bytes: 64 * 1024, windowMs: 30_000 } as const

/**
 * Calls `onSlow` once a window passes with fewer bytes than `slowest`. An idle timer would not
 * suffice: a server that sends a byte now and then would hold a runner without end.
 */
export function watchRate(clock: Clock, onSlow: () => void): RateWatch {
  let inWindow = 0
  let cancel = clock.schedule(slowest.windowMs, check)

  function check(): void {
    if (inWindow < slowest.bytes) return onSlow()
    inWindow = 0
    cancel = clock.schedule(slowest.windowMs, check)
  }

  return {
    add(bytes) {
      inWindow += bytes
    },
    stop() {
      cancel()
    },
  }
}
