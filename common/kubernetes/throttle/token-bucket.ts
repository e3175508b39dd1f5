import type { Clock } from '../../runtime/effects.ts'

export interface TokenBucket {
  /** Takes one token if it is there now. */
  tryTake(): boolean
  /** Milliseconds until a token is there; 0 = now. */
  msUntilToken(): number
  /** Tokens above the new burst are lost. */
  setRate(rate: TokenRate): void
}

export interface TokenRate {
  readonly perSecond: number
  /** Most tokens at a time; at least 1. */
  readonly burst: number
}

/** Sums of fractions: ten times a tenth of a token is a whole one. */
const roundingError = 1e-6

/** Starts full. */
export function createTokenBucket({ clock, ...first }: TokenRate & { clock: Clock }): TokenBucket {
  let rate: TokenRate = first
  let tokens = rate.burst
  let filledAtMs = clock.monotonicMs()
  return {
    tryTake() {
      if (msUntilToken() > 0) return false
      tokens = Math.max(0, tokens - 1)
      return true
    },
    msUntilToken,
    setRate(next) {
      fill()
      rate = next
      tokens = Math.min(rate.burst, tokens)
    },
  }

  function msUntilToken(): number {
    fill()
    const missing = 1 - tokens
    return missing <= roundingError ? 0 : (missing / rate.perSecond) * 1_000
  }

  function fill(): void {
    const nowMs = clock.monotonicMs()
    tokens = Math.min(rate.burst, tokens + ((nowMs - filledAtMs) / 1_000) * rate.perSecond)
    filledAtMs = nowMs
  }
}
