import { createOnceAMinute } from '../../common/bounded/once-a-minute.ts'
import { backoff, halfJitter } from '../../common/runtime/backoff.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { CanaryAnswer } from './canary.ts'
import type { DispatchMetrics } from './dispatch-metrics.ts'
import type { Proof } from './row-failure.ts'

/**
 * Separates failures of the cluster from failures of single rows. While the cluster creates nothing,
 * the breaker is open: no row is claimed and no failure counts against a row, so that an outage of
 * any length ends no command.
 */
export interface Breaker {
  /** The cluster has created an object. */
  wrote(): void
  /** The state of the cluster since the start of a failed create; sends a canary if it is unknown. */
  proofSince(startedMs: number): Promise<Proof>
  /**
   * Whether rows may be claimed now. An open breaker waits up to 2 s and sends a canary first. If the
   * cluster refuses the canary itself, a few rows may be claimed each time: a policy against the canary
   * must not stop all commands.
   */
  pass(signal: AbortSignal): Promise<boolean>
}

export interface BreakerDeps {
  readonly sendCanary: () => Promise<CanaryAnswer>
  /** Until the delay or the signal. */
  readonly pause: (delayMs: number, signal: AbortSignal) => Promise<void>
  readonly effects: Pick<Effects, 'clock' | 'random'>
  readonly logger: Logger
  readonly metrics: Pick<DispatchMetrics, 'breaker'>
}

export function createBreaker(deps: BreakerDeps): Breaker {
  const { effects, logger, metrics } = deps
  const { clock } = effects
  const isDue = createOnceAMinute(() => clock.monotonicMs())
  let wroteMs = -Infinity
  /** null while it is closed. */
  let open: { readonly proof: 'refused' | 'away'; readonly failures: number } | null = null
  let underWay: Promise<Proof> | null = null

  return {
    wrote,
    async proofSince(startedMs) {
      if (wroteMs >= startedMs) return 'written'
      return open?.proof ?? canary()
    },
    async pass(signal) {
      if (open === null) return true
      await deps.pause(backoffMs(open.failures, effects.random()), signal)
      return !signal.aborted && (await canary()) !== 'away'
    },
  }

  function wrote(): void {
    wroteMs = clock.monotonicMs()
    close()
  }

  /** One canary in flight: concurrent failures share its result. */
  function canary(): Promise<Proof> {
    underWay ??= sendCanary().finally(() => {
      underWay = null
    })
    return underWay
  }

  async function sendCanary(): Promise<Proof> {
    const sentMs = clock.monotonicMs()
    const { proof, error } = await deps.sendCanary()
    if (wroteMs >= sentMs) return 'written'
    if (proof === 'written') wrote()
    else if (proof === 'accepted') close()
    else keepOpen(proof, error)
    return proof
  }

  function close(): void {
    if (open === null) return
    open = null
    metrics.breaker(false)
    logger.info('the cluster creates custom resources again')
  }

  function keepOpen(proof: 'refused' | 'away', error: unknown): void {
    if (open === null) metrics.breaker(true)
    open = { proof, failures: (open?.failures ?? 0) + 1 }
    if (isDue()) {
      logger.warn('the cluster creates no custom resources; dispatch waits', { error })
    }
  }
}

const waits = { first: 200, longest: 2_000, jitter: halfJitter }

/** At most 2 s, so that the end of an outage is noticed soon; with jitter between replicas. */
export function backoffMs(failures: number, random: number): number {
  return backoff(waits, failures, random)
}
