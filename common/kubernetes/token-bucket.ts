import { sleep } from '../runtime/effects.ts'
import type { Clock } from '../runtime/effects.ts'

export interface TokenBucket {
  /**
   * Takes one token, waiting in line for it.
   * @returns milliseconds waited
   * @throws the signal's reason
   */
  take(signal: AbortSignal): Promise<number>
  /** Takes one token if it is there now. */
  tryTake(): boolean
}

/** Starts full. Callers are served in the order in which they came. */
export function createTokenBucket(deps: {
  clock: Clock
  perSecond: number
  burst: number
}): TokenBucket {
  const { clock, perSecond, burst } = deps
  let tokens = burst
  let filledAtMs = clock.monotonicMs()
  return {
    async take(signal) {
      fill()
      tokens -= 1
      if (tokens >= 0) return 0
      const waitMs = (-tokens / perSecond) * 1000
      try {
        await sleep(clock, waitMs, signal)
      } catch (error) {
        tokens += 1
        throw error
      }
      return waitMs
    },
    tryTake() {
      fill()
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }

  function fill(): void {
    const nowMs = clock.monotonicMs()
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1000) * perSecond)
    filledAtMs = nowMs
  }
}
