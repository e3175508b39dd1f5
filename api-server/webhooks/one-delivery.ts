import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import { requireFeature } from '../accounts/allowance.ts'
import { planOf } from '../../common/domain/plans.ts'
import { leaseSeconds } from './attempt-delivery.ts'
import { deliveryIdOf } from './attempt-headers.ts'
import { deliveryRecord } from './list-deliveries.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'
import type { ClaimedDelivery, SentDelivery } from '../../common/store/webhooks.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { WebhookDeliveryDetails } from '../../common/openapi/openapi-types.ts'

const unknown = refusal(404, 'Webhook delivery not found')

/** `GET /v1/webhook/deliveries/{webhook_id}`: what was sent, and what was answered. */
export function getDelivery({ store }: { readonly store: Pick<Store, 'findDelivery'> }): Endpoint {
  return endpoint('getWebhookDelivery', async ({ path }, { key }) => {
    const deliveryId = deliveryIdOf(path.webhook_id)
    const delivery =
      deliveryId === null ? null : await store.findDelivery(key.account.accountId, deliveryId)
    if (delivery === null) throw unknown
    return { status: 200, body: detailsOf(delivery) }
  })
}

interface Deps {
  readonly store: Pick<Store, 'findDelivery' | 'claimDelivery'>
  readonly plans: Plans
  readonly effects: Effects
  readonly sendNow: SendNow
}

/** Starts an attempt of a claimed delivery; `claimedMs` is the monotonic time from before the claim. */
export type SendNow = (delivery: ClaimedDelivery, claimedMs: number) => void

/** `POST /v1/webhook/deliveries/{webhook_id}/redeliver`: one attempt at once, in any state. */
export function redeliver({ store, plans, effects, sendNow }: Deps): Endpoint {
  return endpoint('redeliverWebhook', async ({ path }, { key: { account } }) => {
    requireFeature(account, planOf(plans, account), 'webhooks')
    const { accountId } = account
    const deliveryId = deliveryIdOf(path.webhook_id)
    if (deliveryId === null) throw unknown
    const claimedMs = effects.clock.monotonicMs()
    const claimed = await effects.failpoint('webhook.claimed', () =>
      store.claimDelivery({ accountId, deliveryId, leaseSeconds }),
    )
    if (claimed.kind === 'unknown') throw unknown
    if (claimed.kind === 'running') {
      throw refusal(409, 'An attempt of this delivery is in flight: send it again after its end')
    }
    // Read before the attempt may end, so that the answer is PENDING.
    const delivery = await store.findDelivery(accountId, deliveryId)
    sendNow(claimed.delivery, claimedMs)
    if (delivery === null) throw unknown
    return { status: 200, body: deliveryRecord(delivery) }
  })
}

function detailsOf(delivery: SentDelivery): WebhookDeliveryDetails {
  return {
    ...deliveryRecord(delivery),
    attempts: delivery.attempts.map((attempt) => ({
      at: attempt.at,
      response_status: attempt.response_status,
      error: attempt.error,
      duration_ms: attempt.duration_ms ?? null,
      response_excerpt: attempt.response_excerpt ?? null,
    })),
    body: delivery.body,
    request_headers: delivery.requestHeaders === null ? null : { ...delivery.requestHeaders },
  }
}
