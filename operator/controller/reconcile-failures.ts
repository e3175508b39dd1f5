import type { Registry } from 'prom-client'
import { counter, histogram } from '../../common/runtime/metrics.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import { LeadershipLost } from '../machinery/election/leader.ts'

export interface ReconcileMetrics {
  reconciled(seconds: number): void
  reconcileFailed(errorClass: string): void
}

export function createReconcileMetrics(registry: Registry): ReconcileMetrics {
  const reconciles = histogram(
    registry,
    'reconcile_seconds',
    'Duration of one reconcile of one command.',
  )
  const errors = counter(registry, 'reconcile_errors_total', 'Reconciles that failed.', ['class'])
  return {
    reconciled: (took) => reconciles.observe(took),
    reconcileFailed: (errorClass) => errors.labels(errorClass).inc(),
  }
}

/** Counts and logs the reconciles that failed. */
export interface ReconcileFailures {
  /** A part of the service that all commands need is unavailable. */
  outage(error: unknown): void
  /** @param tries failures in a row, this one included */
  failed(commandId: string, error: unknown, tries: number): void
}

const betweenReportsMs = 60_000

export function createReconcileFailures(deps: {
  readonly clock: Clock
  readonly metrics: Pick<ReconcileMetrics, 'reconcileFailed'>
  readonly logger: Logger
}): ReconcileFailures {
  const { clock, metrics, logger } = deps
  let reportedMs = -Infinity
  return {
    /** One line for a minute of an outage, not one for each command. */
    outage(error) {
      metrics.reconcileFailed(classOf(error))
      const nowMs = clock.monotonicMs()
      if (nowMs - reportedMs < betweenReportsMs) return
      reportedMs = nowMs
      logger.warn('cannot reconcile now', { error })
    },
    failed(commandId, error, tries) {
      // The Lease is lost: the next leader does the rest.
      if (error instanceof LeadershipLost) return
      metrics.reconcileFailed(classOf(error))
      logger.warn('could not reconcile', { command_id: commandId, tries, error })
    },
  }
}

function classOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return 'database'
  return isKubeError(error) ? error.errorClass : 'bug'
}
