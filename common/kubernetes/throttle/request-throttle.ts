import type { Clock } from '../../runtime/effects.ts'
import { createLaneOrder, requestLanes } from './lane-order.ts'
import type { RequestLane } from './lane-order.ts'
import { createSlowdown } from './slowdown.ts'
import { createTokenBucket } from './token-bucket.ts'
import type { TokenRate } from './token-bucket.ts'

/** The rate at which a process sends requests to the Kubernetes API, and whose request is next. */
export interface RequestThrottle {
  /**
   * Waits for its turn.
   * @returns milliseconds waited
   * @throws the signal's reason
   */
  take(lane: RequestLane, signal: AbortSignal): Promise<number>
  /** Takes a turn if one is there now. */
  tryTake(lane: RequestLane): boolean
  /**
   * Calls back with a turn taken, for a caller that must not hold a worker while it waits.
   * @returns how to give up waiting
   */
  request(lane: RequestLane, onTurn: () => void): () => void
  /** Counts a wait for a turn that came by `request`. */
  waited(lane: RequestLane, seconds: number): void
  /** The API server has answered 429. */
  refused(): void
  /** Requests a second at present. */
  readonly perSecond: () => number
}

export interface RequestThrottleDeps extends Partial<TokenRate> {
  readonly clock: Clock
  /** Seconds that a request has waited for its turn. */
  readonly waited?: (lane: RequestLane, seconds: number) => void
  /** The rate was halved for a minute. */
  readonly onSlowed?: () => void
}

/** Part of the rate that statuses of what still runs may have: progress of 2,000 commands wants more than all. */
const showShare = 0.3

/**
 * Fairness of the API server itself is the real limit. This one keeps a bug from flooding it, and what
 * users watch from delaying what they wait for.
 */
export function createRequestThrottle(deps: RequestThrottleDeps): RequestThrottle {
  const { clock, waited = () => undefined } = deps
  const full: TokenRate = { perSecond: deps.perSecond ?? 100, burst: deps.burst ?? 200 }
  const requests = createTokenBucket({ clock, ...full })
  const shows = createTokenBucket({ clock, ...shareOf(full, showShare) })
  const slowdown = createSlowdown(clock)
  const order = createLaneOrder()
  const waiting: Record<RequestLane, Set<() => void>> = {
    start: new Set(),
    end: new Set(),
    show: new Set(),
    tidy: new Set(),
  }
  let isSlow = false
  let isServing = false
  let cancelTimer: (() => void) | null = null

  return {
    async take(lane, signal) {
      signal.throwIfAborted()
      const beganMs = clock.monotonicMs()
      if (!tryTake(lane)) await turn(lane, signal)
      const waitedMs = clock.monotonicMs() - beganMs
      waited(lane, waitedMs / 1_000)
      return waitedMs
    },
    tryTake,
    request,
    waited,
    refused() {
      if (slowdown.refused()) deps.onSlowed?.()
      adjust()
    },
    perSecond() {
      adjust()
      return rateNow().perSecond
    },
  }

  function tryTake(lane: RequestLane): boolean {
    adjust()
    if (waiting[lane].size > 0 || !isReady(lane) || !requests.tryTake()) return false
    if (lane === 'show') shows.tryTake()
    return true
  }

  function request(lane: RequestLane, onTurn: () => void): () => void {
    waiting[lane].add(onTurn)
    serve()
    return () => {
      waiting[lane].delete(onTurn)
      setTimer()
    }
  }

  function turn(lane: RequestLane, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = request(lane, onTurn)
      signal.addEventListener('abort', onAbort, { once: true })
      function onTurn(): void {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      function onAbort(): void {
        giveUp()
        reject(signal.reason as Error)
      }
    })
  }

  /** Gives turns while there are tokens, then sets one timer for the next. */
  function serve(): void {
    // A turn that is given may ask for the next one.
    if (isServing) return
    isServing = true
    adjust()
    for (;;) {
      const ready = requestLanes.filter((lane) => waiting[lane].size > 0 && isReady(lane))
      if (ready.length === 0 || !requests.tryTake()) break
      const lane = order.next(ready)
      if (lane === 'show') shows.tryTake()
      const [onTurn] = waiting[lane]
      if (onTurn === undefined) continue
      waiting[lane].delete(onTurn)
      onTurn()
    }
    isServing = false
    setTimer()
  }

  function setTimer(): void {
    cancelTimer?.()
    cancelTimer = null
    const others = requestLanes.some((lane) => lane !== 'show' && waiting[lane].size > 0)
    if (!others && waiting.show.size === 0) return
    const delayMs = Math.max(requests.msUntilToken(), others ? 0 : shows.msUntilToken())
    cancelTimer = clock.schedule(delayMs, serve)
  }

  function isReady(lane: RequestLane): boolean {
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
