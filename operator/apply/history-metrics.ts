import type { Registry } from 'prom-client'
import { counter, histogram } from '../../common/runtime/metrics.ts'

/** Metrics of recorded ends that users were shown, and of their restoration. */
export interface HistoryMetrics {
  /** @param seconds of reading the result and storing it */
  resultObject(outcome: 'stored' | 'skipped', seconds: number): void
  /** @param from what the end was recorded from again */
  outcomeRestored(from: RestoreSource): void
  /** An end that was shown could not be recorded again, because its objects or its result are gone. */
  shownOutcomeLost(): void
  /** @param before history at the comparison before; null for the first one */
  historyCompared(before: string | null): void
}

export type RestoreSource = 'result_object' | 'termination_message' | 'custom_resource'

export function createHistoryMetrics(registry: Registry): HistoryMetrics {
  const objects = counter(
    registry,
    'result_objects_total',
    'Successful ends by what became of their result object: stored, or skipped because the object store was unavailable.',
    ['outcome'],
  )
  const seconds = histogram(
    registry,
    'result_object_seconds',
    'From the leader reading a SUCCESS to its stored result object; the custom resource shows it next.',
  )
  const restored = counter(
    registry,
    'outcomes_restored_total',
    'Ends that the database had lost and that were recorded again.',
    ['from'],
  )
  const lost = counter(
    registry,
    'shown_outcomes_lost_total',
    'Ends that were shown as SUCCESS and could not be recorded again.',
  )
  const compared = counter(
    registry,
    'history_comparisons_total',
    'Comparisons of all custom resources with their rows after the database was restarted, promoted or restored.',
  )
  const changes = counter(
    registry,
    'database_timeline_changes_total',
    'Restarts, promotions and restores of the database that the leader has seen.',
  )
  return {
    resultObject(outcome, took) {
      objects.labels(outcome).inc()
      if (outcome === 'stored') seconds.observe(took)
    },
    outcomeRestored: (from) => restored.labels(from).inc(),
    shownOutcomeLost: () => lost.inc(),
    historyCompared(before) {
      compared.inc()
      if (before !== null) changes.inc()
    },
  }
}
