import { sleep } from '../../../common/runtime/effects.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import type { LeaderTiming } from './leader-timing.ts'
import type { LeaseRecord } from './lease-record.ts'

/** The possession of the Lease as this process sees it, on its monotonic clock alone. */
export interface Possession {
  /** Time before the last request that renewed it; null = not the leader. */
  heldSinceMs: number | null
}

export interface HoldDeps {
  readonly clock: Clock
  readonly logger: Logger
  readonly timing: LeaderTiming
}

/** Milliseconds for which the Lease counts as held; 0 or less: it does not any more. */
export function heldForMs(
  { heldSinceMs }: Possession,
  { clock, timing }: Pick<HoldDeps, 'clock' | 'timing'>,
): number {
  return heldSinceMs === null ? 0 : timing.stopMs - (clock.monotonicMs() - heldSinceMs)
}

/** Competes for the Lease. @returns time before the request that took it; null: the signal has aborted */
export async function compete(
  deps: HoldDeps,
  record: LeaseRecord,
  signal: AbortSignal,
): Promise<number | null> {
  const { clock, logger, timing } = deps
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
    await pause(clock, timing.pollMs, signal)
  }
  return null
}

/** Renews until the work of the term has ended, or the Lease is lost. */
export async function hold(
  deps: HoldDeps,
  record: LeaseRecord,
  possession: Possession,
  worked: AbortSignal,
): Promise<'released' | 'lost'> {
  const { clock, timing } = deps
  const leftMs = (): number => heldForMs(possession, deps)
  const expiry = createExpiry(clock, leftMs(), worked)
  try {
    for (let pauseMs = timing.renewMs; ;) {
      await pause(clock, pauseMs, expiry.signal)
      if (worked.aborted) return leftMs() > 0 ? 'released' : 'lost'
      // Ends by the timer too: it may come a moment early, and then no pause would wait any more.
      if (expiry.signal.aborted || leftMs() <= 0) return 'lost'
      const beforeMs = clock.monotonicMs()
      const outcome = await renewOnce(deps, record, expiry.signal)
      if (outcome === 'taken' || leftMs() <= 0) return 'lost'
      if (outcome === 'renewed') {
        possession.heldSinceMs = beforeMs
        expiry.postpone(leftMs())
      }
      pauseMs = outcome === 'renewed' ? timing.renewMs : timing.retryMs
    }
  } finally {
    expiry.cancel()
  }
}

async function renewOnce(
  { logger }: HoldDeps,
  record: LeaseRecord,
  signal: AbortSignal,
): Promise<'renewed' | 'taken' | 'failed'> {
  try {
    return (await record.renew(signal)) ? 'renewed' : 'taken'
  } catch (error) {
    if (!signal.aborted) logger.warn('cannot renew the Lease', { error })
    return 'failed'
  }
}

/** A signal that aborts with the outer one, or when the time of the last renewal has run out. */
function createExpiry(clock: Clock, firstMs: number, outer: AbortSignal) {
  const controller = new AbortController()
  const abort = (): void => controller.abort(new Error('the Lease has run out'))
  let cancelTimer = clock.schedule(firstMs, abort)
  outer.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    postpone(leftMs: number): void {
      cancelTimer()
      cancelTimer = clock.schedule(leftMs, abort)
    },
    cancel(): void {
      cancelTimer()
      outer.removeEventListener('abort', abort)
    },
  }
}

async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  await sleep(clock, delayMs, signal).catch(() => undefined)
}
