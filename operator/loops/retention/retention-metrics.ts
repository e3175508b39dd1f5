import type { Registry } from 'prom-client'
import { counter, gauge } from '../../../common/runtime/metrics.ts'
import type { RetentionKind } from '../../../common/store/retention/retention.ts'

/** Metrics of the retention and of the deletion of accounts. */
export interface RetentionMetrics {
  deleted(kind: RetentionKind | 'work' | 'files', rows: number): void
  /** Since the account that is most overdue should have been visited. */
  oldestDue(seconds: number): void
  /** Since the oldest request to delete an account that is not done. */
  oldestDeletion(seconds: number): void
}

export function createRetentionMetrics(registry: Registry): RetentionMetrics {
  const deleted = counter(
    registry,
    'retention_rows_total',
    'Rows that the retention deleted; for originals those that it emptied.',
    ['kind'],
  )
  const due = gauge(
    registry,
    'retention_behind_seconds',
    'How long the daily visit of an account is overdue, at most; 0 without one.',
  )
  const deletion = gauge(
    registry,
    'account_deletion_age_seconds',
    'Since the oldest request to delete an account that is not done; 0 without one.',
  )
  return {
    deleted: (kind, rows) => deleted.labels(kind).inc(rows),
    oldestDue: (seconds) => due.set(seconds),
    oldestDeletion: (seconds) => deletion.set(seconds),
  }
}
