import { waitFor } from './wait-for.ts'
import { backoff, halfJitter } from './backoff.ts'
import { createPace } from './pace.ts'
import type { Effects } from './effects.ts'
import type { Logger } from './logger.ts'
import type { Part } from './lifecycle.ts'
import type { PaceOptions } from './pace.ts'

/** Periodic task: runs every `everyMs`, or immediately after `wake()`. */
export interface Loop {
  wake(): void
  /** There may be work: the loop wakes 100 ms after its last run at the earliest. */
  hint(): void
  /** Ends after the signal has aborted and the work under way is done; never rejects. */
  run(signal: AbortSignal): Promise<void>
}

interface LoopDeps {
  readonly name: string
  readonly everyMs: number
  readonly effects: Pick<Effects, 'clock' | 'random'>
  readonly logger: Logger
}

const longestBackoffMs = 10_000
/** Hints of many processes must not make a busy loop run without a pause. */
const betweenHintsMs = 100

/** A loop whose interval does not change. */
export function createLoop(
  deps: LoopDeps & { readonly work: (signal: AbortSignal) => Promise<void> },
): Loop {
  return createPacedLoop({
    ...deps,
    longestMs: () => deps.everyMs,
    async work(signal) {
      await deps.work(signal)
      return false
    },
  })
}

/** A loop that runs less often while its work finds nothing to do, which it says by `false`. */
export function createPacedLoop(
  deps: LoopDeps & PaceOptions & { readonly work: (signal: AbortSignal) => Promise<boolean> },
): Loop {
  const pace = createPace(deps, deps.effects.clock)
  const { clock } = deps.effects
  let woken = Promise.withResolvers<undefined>()
  let beganMs = -Infinity
  let isHinted = false
  return {
    wake: () => woken.resolve(undefined),
    hint() {
      if (pace.isIdle()) pace.found()
      const untilMs = betweenHintsMs - (clock.monotonicMs() - beganMs)
      if (isHinted) return
      if (untilMs <= 0) return woken.resolve(undefined)
      isHinted = true
      clock.schedule(untilMs, () => {
        isHinted = false
        woken.resolve(undefined)
      })
    },
    async run(signal) {
      let failures = 0
      while (!signal.aborted) {
        // Reset before the work, so that a `wake()` during it leads to another run.
        woken = Promise.withResolvers<undefined>()
        beganMs = clock.monotonicMs()
        try {
          if (await deps.work(signal)) pace.found()
          failures = 0
        } catch (error) {
          if (signal.aborted) return
          failures += 1
          deps.logger.warn('a loop failed', { loop: deps.name, failures, error })
        }
        await pause(failures, signal)
      }
    },
  }

  function pause(failures: number, signal: AbortSignal): Promise<void> {
    return waitFor(deps.effects.clock, { ms: waitMs(failures), signal }, (end) => {
      // Backoff: more work must not make us call a failing dependency more often.
      if (failures === 0) void woken.promise.then(end)
      return () => undefined
    })
  }

  function waitMs(failures: number): number {
    if (failures === 0) return pace.nextMs()
    const waits = { first: deps.everyMs * 2, longest: longestBackoffMs, jitter: halfJitter }
    return Math.max(deps.everyMs, backoff(waits, failures, deps.effects.random()))
  }
}

/** Something that runs until its signal aborts, as a part of the process. */
export function loopPart(name: string, run: (signal: AbortSignal) => Promise<void>): Part {
  const stopping = new AbortController()
  let running = Promise.resolve()
  return {
    name,
    async start() {
      running = run(stopping.signal)
    },
    stop() {
      stopping.abort()
      return running
    },
  }
}
