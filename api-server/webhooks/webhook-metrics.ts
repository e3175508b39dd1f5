import type { Registry } from 'prom-client'
import { counter, gauge } from '../../common/runtime/metrics.ts'
import type { DeliveryGauges } from '../../common/store/webhooks.ts'
import type { AttemptResult } from './attempt-delivery.ts'

export interface WebhookMetrics {
  attempted(result: AttemptResult): void
  rearmed(receivers: number): void
  read(gauges: DeliveryGauges): void
}

export function createWebhookMetrics(registry: Registry): WebhookMetrics {
  const attempts = counter(
    registry,
    'webhook_attempts_total',
    'Attempts to deliver a webhook: delivered, failed (will be retried), given_up, refused (not sent), lost (taken over by another replica).',
    ['result'],
  )
  const pending = gauge(
    registry,
    'webhook_deliveries_pending',
    'Webhook deliveries that are neither delivered nor given up, of all replicas.',
  )
  const oldest = gauge(
    registry,
    'webhook_oldest_pending_seconds',
    'Age of the oldest of them; up to 28 hours while its receiver is down.',
  )
  const overdue = gauge(
    registry,
    'webhook_due_seconds',
    'How long the next attempt of any of them has been due, except to receivers that are backed off; above a minute, more replicas are needed.',
  )
  const rearmed = counter(
    registry,
    'webhook_rearmed_total',
    'Receivers with a due delivery that no claim looked for, found by the scan of each minute; 0 except after an upgrade or rollback.',
  )
  return {
    attempted: (result) => attempts.inc({ result }),
    rearmed: (receivers) => rearmed.inc(receivers),
    read({ pending: count, oldestPendingSeconds, overdueSeconds }) {
      pending.set(count)
      oldest.set(oldestPendingSeconds)
      overdue.set(overdueSeconds)
    },
  }
}
