import { sleep } from '../../../common/runtime/effects.ts'
import { createLeaseRecord } from './lease-record.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { LeaseRecordDeps } from './lease-record.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import type { LeaderMetrics } from './leader-metrics.ts'

/**
 * Elects a likely leader by a Lease, term after term. Only this process's monotonic clock counts: a candidate waits
 * until it has itself seen no change of the Lease for its whole duration, and a holder stops well before that, counted
 * from before the last request that renewed it. Holding the Lease still proves nothing at the moment of a write: every
 * write needs a guard of its own.
 *
 * A lost Lease ends the term, not the process: an API server that stalls for 20 s would otherwise send every operator
 * into the kubelet's restart backoff of up to five minutes.
 */
export interface Leader {
  /**
   * Competes and leads until the signal aborts. Then the term's work ends first and the Lease is
   * released after it, so that the successor starts at once and finds no effect of a living process
   * in flight.
   */
  run(signal: AbortSignal): Promise<void>
  isLeader(): boolean
  /** Gateway address of another process that leads, as far as this one knows; null: unknown. */
  leaderAddress(): string | null
}

/** One uninterrupted possession of the Lease. */
export interface Term {
  /** Aborts when the work has to end: the Lease is lost, or the process is stopping. */
  readonly signal: AbortSignal
  /** Aborts only when the Lease is lost: requests in flight are cancelled then. */
  readonly lost: AbortSignal
  /**
   * Fences the effects of a term: those of an earlier one are refused although the process may lead again.
   * @throws LeadershipLost
   */
  mustHold(): void
}

export class LeadershipLost extends Error {
  constructor() {
    super('this process does not hold the Lease')
    this.name = 'LeadershipLost'
  }
}

export interface LeaderDeps extends LeaseRecordDeps {
  readonly clock: Clock
  /** Does the work of one term and resolves when all of its effects have ended; never rejects. */
  readonly lead: (term: Term) => Promise<void>
  /** The effects of a lost term do not end: the process has to, because a new term beside them would not be safe. */
  readonly onStuck: () => void
  readonly metrics: LeaderMetrics
  readonly logger: Logger
}

/** How long the effects of a lost term may take to end. Requests are cancelled at once, a statement may take 10 s. */
const stuckMs = 20_000

export function createLeader(deps: LeaderDeps): Leader {
  const { clock, logger, metrics, timing } = deps
  const record = createLeaseRecord(deps)
  /** Time of the last renewal that succeeded; null = not the leader. */
  let heldSinceMs: number | null = null

  return {
    isLeader,
    leaderAddress: () => (isLeader() ? null : record.holderAddress()),
    async run(signal) {
      while (!signal.aborted) {
        const acquiredMs = await compete(signal)
        if (acquiredMs === null || !(await serveTerm(acquiredMs, signal))) return
      }
    },
  }

  function isLeader(): boolean {
    return heldSinceMs !== null && clock.monotonicMs() - heldSinceMs < timing.stopMs
  }

  /** @returns whether another term may follow */
  async function serveTerm(acquiredMs: number, signal: AbortSignal): Promise<boolean> {
    const lost = new AbortController()
    const worked = new AbortController()
    heldSinceMs = acquiredMs
    metrics.termBegan()
    logger.info('leading', { identity: deps.identity })
    const term: Term = {
      signal: AbortSignal.any([signal, lost.signal]),
      lost: lost.signal,
      mustHold() {
        if (lost.signal.aborted || !isLeader()) throw new LeadershipLost()
      },
    }
    const work = deps.lead(term).then(() => worked.abort())
    const end = await hold(worked.signal)
    heldSinceMs = null
    metrics.termEnded(end)
    if (end === 'released') {
      await release()
      return true
    }
    logger.warn('lost the Lease; leadership ends')
    lost.abort(new LeadershipLost())
    return endsInTime(work)
  }

  async function endsInTime(work: Promise<void>): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = clock.schedule(stuckMs, () => {
        logger.error('work of a lost Lease did not stop in time', { after_ms: stuckMs })
        deps.onStuck()
        resolve(false)
      })
      void work.then(() => {
        cancel()
        resolve(true)
      })
    })
  }

  async function release(): Promise<void> {
    try {
      await record.release()
    } catch (error) {
      logger.warn('Lease not released; other replicas wait until it expires', { error })
    }
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
        // Two lines a second through an outage would hide the important lines.
        if (!isFailing) logger.warn('cannot compete for the Lease', { error })
        isFailing = true
      }
      await pause(timing.pollMs, signal)
    }
    return null
  }

  /** Renews until the work of the term has ended, or the Lease is lost. */
  async function hold(worked: AbortSignal): Promise<'released' | 'lost'> {
    const expiry = watchExpiry(worked)
    try {
      for (let pauseMs = timing.renewMs; ;) {
        await pause(pauseMs, expiry.signal)
        if (worked.aborted) return isLeader() ? 'released' : 'lost'
        // Ends by the timer too: it may come a moment early, and then no pause would wait any more.
        if (expiry.signal.aborted || !isLeader()) return 'lost'
        const beforeMs = clock.monotonicMs()
        const outcome = await renewOnce(expiry.signal)
        if (outcome === 'taken' || !isLeader()) return 'lost'
        if (outcome === 'renewed') {
          heldSinceMs = beforeMs
          expiry.postpone()
        }
        pauseMs = outcome === 'renewed' ? timing.renewMs : timing.retryMs
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

  /** Aborts with the given signal, or when the time of the last renewal has run out. */
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
