import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import { requireFeature } from '../accounts/allowance.ts'
import { attemptHeaders, webhookIdOf } from './attempt-headers.ts'
import { eventBody } from './event-body.ts'
import { sampleRecord } from './sample-record.ts'
import { planOf } from '../../common/domain/plans.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { PostWebhook } from './post-webhook.ts'

export interface TestWebhookDeps {
  readonly store: Pick<Store, 'findWebhook'>
  readonly plans: Plans
  readonly effects: Effects
  readonly postWebhook: PostWebhook
  readonly userAgent: string
}

/** `POST /v1/webhook/test`: one attempt, answered with what came of it and kept nowhere. */
export function testWebhook(deps: TestWebhookDeps): Endpoint {
  const { store, plans, effects, postWebhook, userAgent } = deps
  return endpoint('testWebhook', async (_call, { key: { account }, newId }) => {
    requireFeature(account, planOf(plans, account.plan), 'webhooks')
    const { url, secrets } = await store.findWebhook(account.accountId)
    if (url === null) throw refusal(404, 'No webhook URL is set: send it with PUT /v1/webhook')
    // The host's clock is good enough: receivers allow for minutes.
    const at = effects.clock.wall()
    const body = eventBody(sampleRecord(newId(), at), at)
    const webhookId = webhookIdOf(newId())
    const event = 'command.finished'
    const headers = attemptHeaders({ webhookId, event, at, secrets, body, userAgent })
    const began = effects.clock.monotonicMs()
    const { ok, responseStatus, error } = await effects.failpoint('webhook.sent', () =>
      postWebhook({ url, headers, body }, new AbortController().signal),
    )
    const duration = Math.round(effects.clock.monotonicMs() - began)
    return {
      status: 200,
      body: { ok, response_status: responseStatus, duration_ms: duration, error },
    }
  })
}
