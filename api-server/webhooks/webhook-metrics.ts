import type { Registry } from 'prom-client'
import { counter, gauge } from '../../common/runtime/metrics.ts'
import type { DeliveryGauges } from '../../common/store/webhooks.ts'
import type { AttemptResult } from './attempt-delivery.ts'

export interface WebhookMetrics {
  attempted(result: AttemptResult): void
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
    'webhook_overdue_seconds',
    'How long the next attempt of any of them has been due; above a minute, more replicas are needed.',
  )
  return {
    attempted: (result) => attempts.inc({ result }),
    read({ pending: count, oldestPendingSeconds, overdueSeconds }) {
      pending.set(count)
      oldest.set(oldestPendingSeconds)
      overdue.set(overdueSeconds)
    },
  }
}
