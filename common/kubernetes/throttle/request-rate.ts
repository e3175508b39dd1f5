import type { Clock } from '../../runtime/effects.ts'
import type { RequestLane } from './lane-order.ts'
import { createSlowdown } from './slowdown.ts'
import { createTokenBucket } from './token-bucket.ts'
import type { TokenRate } from './token-bucket.ts'

/** Tokens for requests, halved for a minute after answers 429. */
export interface RequestRate {
  /** Takes a token of the lane if there is one. */
  tryTake(lane: RequestLane): boolean
  /** False while statuses have used up their share. */
  allows(lane: RequestLane): boolean
  /** @param lane the one with the next request, by its share */
  msUntilToken(lane: RequestLane): number
  /** @returns whether this refusal has halved the rate */
  refused(): boolean
  perSecond(): number
}

/** Part of the rate that statuses of what still runs may have: progress of 2,000 commands wants more than all. */
const showShare = 0.3

export function createRequestRate(clock: Clock, full: TokenRate): RequestRate {
  const requests = createTokenBucket({ clock, ...full })
  const shows = createTokenBucket({ clock, ...shareOf(full, showShare) })
  const slowdown = createSlowdown(clock)
  let isSlow = false

  return {
    tryTake(lane) {
      if (!allows(lane) || !requests.tryTake()) return false
      if (lane === 'show') shows.tryTake()
      return true
    },
    allows,
    msUntilToken: (lane) =>
      Math.max(requests.msUntilToken(), lane === 'show' ? shows.msUntilToken() : 0),
    refused() {
      const hasSlowed = slowdown.refused()
      adjust()
      return hasSlowed
    },
    perSecond() {
      adjust()
      return rateNow().perSecond
    },
  }

  function allows(lane: RequestLane): boolean {
    adjust()
    return lane !== 'show' || shows.msUntilToken() === 0
  }

  function adjust(): void {
    if (slowdown.isOn() === isSlow) return
    isSlow = !isSlow
    requests.setRate(rateNow())
    shows.setRate(shareOf(rateNow(), showShare))
  }

  function rateNow(): TokenRate {
    return isSlow ? shareOf(full, 0.5) : full
  }
}

function shareOf({ perSecond, burst }: TokenRate, share: number): TokenRate {
  return { perSecond: perSecond * share, burst: Math.max(1, burst * share) }
}
