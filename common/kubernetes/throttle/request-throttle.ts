import type { Clock } from '../../runtime/effects.ts'
import { createLaneOrder, requestLanes } from './lane-order.ts'
import type { RequestLane } from './lane-order.ts'
import { createRequestRate } from './request-rate.ts'
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

/**
 * Fairness of the API server itself is the real limit. This one keeps a bug from flooding it, and what
 * users watch from delaying what they wait for.
 */
export function createRequestThrottle(deps: RequestThrottleDeps): RequestThrottle {
  const { clock, perSecond = 100, burst = 200, waited = () => undefined } = deps
  const rate = createRequestRate(clock, { perSecond, burst })
  const order = createLaneOrder()
  const waiting: Record<RequestLane, Set<() => void>> = {
    start: new Set(),
    end: new Set(),
    show: new Set(),
    tidy: new Set(),
  }
  let isServing = false
  let cancelTimer: (() => void) | null = null

  return {
    async take(lane, signal) {
      signal.throwIfAborted()
      const beganMs = clock.monotonicMs()
      if (!tryTake(lane)) await turnOf(request, lane, signal)
      const waitedMs = clock.monotonicMs() - beganMs
      waited(lane, waitedMs / 1_000)
      return waitedMs
    },
    tryTake,
    request,
    waited,
    refused() {
      if (rate.refused()) deps.onSlowed?.()
    },
    perSecond: () => rate.perSecond(),
  }

  function tryTake(lane: RequestLane): boolean {
    return waiting[lane].size === 0 && rate.tryTake(lane)
  }

  function request(lane: RequestLane, onTurn: () => void): () => void {
    waiting[lane].add(onTurn)
    serve()
    return () => {
      waiting[lane].delete(onTurn)
      setTimer()
    }
  }

  /** Gives turns while there are tokens, then sets one timer for the next. */
  function serve(): void {
    // A turn that is given may ask for the next one.
    if (isServing) return
    isServing = true
    for (;;) {
      const ready = requestLanes.filter((lane) => waiting[lane].size > 0 && rate.allows(lane))
      // The order counts a turn of each lane that it chooses, so a token must be there.
      if (ready.length === 0 || rate.msUntilToken('start') > 0) break
      const lane = order.next(ready)
      if (!rate.tryTake(lane)) break
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
    const lane = requestLanes.find((each) => each !== 'show' && waiting[each].size > 0)
    if (lane === undefined && waiting.show.size === 0) return
    cancelTimer = clock.schedule(rate.msUntilToken(lane ?? 'show'), serve)
  }
}

/** @throws the signal's reason */
function turnOf(
  request: RequestThrottle['request'],
  lane: RequestLane,
  signal: AbortSignal,
): Promise<void> {
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
