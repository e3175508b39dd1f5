import type { Clock } from './effects.ts'

/** Time between two polls: short after work was found, longer while none is found. */
export interface Pace {
  /** Work was found, or is expected: the next polls are short. */
  found(): void
  /** Nothing was found for 5 seconds: the polls become longer. */
  isIdle(): boolean
  /** Milliseconds until the next poll. */
  nextMs(): number
}

export interface PaceOptions {
  readonly everyMs: number
  /** Milliseconds between two polls of a busy loop, if that is more than `everyMs`; asked before each wait. */
  readonly shortestMs?: () => number
  /** Milliseconds between two polls while no work is found; asked before each wait. */
  readonly longestMs: () => number
}

/** How long polls stay short after the last work, so that a pause between two requests is not idle time. */
const busyMs = 5_000
const growth = 1.5

/** An idle process that polled as often as a busy one would send some ten statements a second for nothing. */
export function createPace(
  { everyMs, shortestMs = () => everyMs, longestMs }: PaceOptions,
  clock: Pick<Clock, 'monotonicMs'>,
): Pace {
  let foundMs = clock.monotonicMs()
  let currentMs = everyMs
  const isIdle = (): boolean => clock.monotonicMs() - foundMs >= busyMs
  return {
    found() {
      foundMs = clock.monotonicMs()
    },
    isIdle,
    nextMs() {
      const shortest = Math.max(everyMs, shortestMs())
      currentMs = isIdle()
        ? Math.max(shortest, Math.min(currentMs * growth, longestMs()))
        : shortest
      return currentMs
    },
  }
}
