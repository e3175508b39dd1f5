import { sleep } from '../../common/effects.ts'
import { createLeaseRecord } from './lease-record.ts'
import type { Clock } from '../../common/effects.ts'
import type { Lease } from '../../common/kubernetes/objects.ts'
import type { Resource } from '../../common/kubernetes/resource.ts'
import type { Logger } from '../../common/logger.ts'
import type { LeaderMetrics } from './leader-metrics.ts'
import type { LeaderTiming } from './leader-timing.ts'

/**
 * Elects a likely leader by a Lease. Only this process's monotonic clock counts: a candidate waits
 * until it has itself seen no change of the Lease for its whole duration, and a holder stops well
 * before that, counted from before the last request that renewed it. Holding the Lease still proves
 * nothing at the moment of a write: every write needs a guard of its own.
 */
export interface Leader {
  /**
   * Competes, holds, and ends with the loss of what it held, or after the signal: then the Lease is
   * given back, so abort only when nothing that needs it runs any more.
   */
  run(signal: AbortSignal): Promise<'released' | 'lost'>
  isLeader(): boolean
  /** @throws LeadershipLost, before an effect that only the leader may have */
  mustHold(): void
}

export class LeadershipLost extends Error {
  constructor() {
    super('this process does not hold the Lease')
    this.name = 'LeadershipLost'
  }
}

export interface LeaderDeps {
  /** On a client of its own, so that a burst of other calls cannot delay a renewal. */
  readonly leases: Resource<Lease>
  readonly namespace: string
  readonly name: string
  /** Unique per process, not only per pod: a restarted container is somebody else. */
  readonly identity: string
  readonly clock: Clock
  readonly timing: LeaderTiming
  readonly onAcquired: () => void
  /** Called at most once; the process should end: a fresh one is simpler than a repentant one. */
  readonly onLost: () => void
  readonly metrics: LeaderMetrics
  readonly logger: Logger
}

export function createLeader(deps: LeaderDeps): Leader {
  const { clock, logger, metrics, timing } = deps
  const record = createLeaseRecord(deps)
  /** Time of the last renewal that succeeded; null = not the leader. */
  let heldSinceMs: number | null = null

  return { run, isLeader, mustHold }

  function isLeader(): boolean {
    return heldSinceMs !== null && clock.monotonicMs() - heldSinceMs < timing.stopMs
  }

  function mustHold(): void {
    if (!isLeader()) throw new LeadershipLost()
  }

  async function run(signal: AbortSignal): Promise<'released' | 'lost'> {
    const acquiredMs = await compete(signal)
    if (acquiredMs === null) return 'released'
    heldSinceMs = acquiredMs
    metrics.became(true)
    logger.info('leading', { identity: deps.identity })
    deps.onAcquired()
    const end = await hold(signal)
    heldSinceMs = null
    metrics.became(false)
    if (end === 'lost') {
      logger.error('lost the Lease')
      deps.onLost()
      return 'lost'
    }
    await record.release().catch((error: unknown) => {
      logger.warn('could not give the Lease back, others have to wait for its end', { error })
    })
    return 'released'
  }

  async function compete(signal: AbortSignal): Promise<number | null> {
    let isFailing = false
    while (!signal.aborted) {
      const beforeMs = clock.monotonicMs()
      try {
        if (await record.acquire(signal)) return beforeMs
        isFailing = false
      } catch (error) {
        if (signal.aborted) return null
        // Two lines a second through an outage would bury what matters.
        if (!isFailing) logger.warn('cannot compete for the Lease', { error })
        isFailing = true
      }
      await pause(timing.lookMs, signal)
    }
    return null
  }

  async function hold(signal: AbortSignal): Promise<'asked' | 'lost'> {
    const expiry = watchExpiry(signal)
    try {
      for (let pauseMs = timing.renewMs; ;) {
        await pause(pauseMs, expiry.signal)
        if (signal.aborted) return 'asked'
        // By the timer too: it may come a moment early, and then no pause would wait any more.
        if (expiry.signal.aborted || !isLeader()) return 'lost'
        const beforeMs = clock.monotonicMs()
        const outcome = await renewOnce(expiry.signal)
        if (signal.aborted) return 'asked'
        if (outcome === 'taken' || !isLeader()) return 'lost'
        if (outcome === 'renewed') {
          heldSinceMs = beforeMs
          expiry.postpone()
        }
        pauseMs = outcome === 'renewed' ? timing.renewMs : timing.lookMs
      }
    } finally {
      expiry.cancel()
    }
  }

  async function renewOnce(signal: AbortSignal): Promise<'renewed' | 'taken' | 'failed'> {
    try {
      return (await record.renew(signal)) ? 'renewed' : 'taken'
    } catch (error) {
      if (!signal.aborted) logger.warn('cannot renew the Lease', { error })
      return 'failed'
    }
  }

  /** Aborts with the caller's signal, or when the time of the last renewal has run out. */
  function watchExpiry(outer: AbortSignal): {
    signal: AbortSignal
    postpone: () => void
    cancel: () => void
  } {
    const controller = new AbortController()
    const abort = (): void => controller.abort(new LeadershipLost())
    let cancelTimer = schedule()
    outer.addEventListener('abort', abort, { once: true })
    return {
      signal: controller.signal,
      postpone() {
        cancelTimer()
        cancelTimer = schedule()
      },
      cancel() {
        cancelTimer()
        outer.removeEventListener('abort', abort)
      },
    }

    function schedule(): () => void {
      const leftMs = timing.stopMs - (clock.monotonicMs() - (heldSinceMs ?? 0))
      return clock.schedule(leftMs, abort)
    }
  }

  async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
    await sleep(clock, delayMs, signal).catch(() => undefined)
  }
}
