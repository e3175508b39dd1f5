import { endpoint } from '../http/endpoint.ts'
import { requireFeature } from '../accounts/allowance.ts'
import { planOf } from '../../common/domain/plans.ts'
import { refusal } from '../http/errors.ts'
import { attemptHeaders, webhookIdOf } from './attempt-headers.ts'
import { eventBody } from './event-body.ts'
import { sampleRecord } from './sample-record.ts'
import { timestamp } from '../http/format.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { Store } from '../../common/store/store.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import { attemptMs } from './post-webhook.ts'
import type { PostWebhook } from './post-webhook.ts'
import type { Webhook as StoredWebhook } from '../../common/store/webhooks.ts'
import type { Webhook, WebhookTest } from '../../common/openapi/openapi-types.ts'

/** `GET /v1/webhook`: the secret exists before a URL is set. */
export function getWebhook({ store }: { readonly store: Pick<Store, 'findWebhook'> }): Endpoint {
  return endpoint('getWebhook', async (_call, { key }) => {
    // With the secret its holder could sign events.
    if (key.readOnly)
      throw refusal(403, 'This key is read-only: it does not see the secret', {}, 'read_only_key')
    const webhook = await store.findWebhook(key.account.accountId)
    return { status: 200, body: webhookRecord(webhook), secret: true }
  })
}

interface Deps {
  readonly store: Pick<Store, 'setWebhook'>
  readonly plans: Plans
  readonly effects: Effects
}

/** `PUT /v1/webhook`: each attempt checks the URL's addresses, since DNS records change. */
export function putWebhook({ store, plans, effects }: Deps): Endpoint {
  return endpoint('putWebhook', async ({ body }, { key: { account } }) => {
    requireFeature(account, planOf(plans, account), 'webhooks')
    const wanted = {
      accountId: account.accountId,
      url: body.url.trim(),
      events: [...new Set(body.events)],
      rotateSecret: body.rotate_secret,
      movePending: body.move_pending,
    }
    const webhook = await effects.failpoint('webhook.url_set', () => store.setWebhook(wanted))
    return { status: 200, body: webhookRecord(webhook) }
  })
}

/** `DELETE /v1/webhook`: ends pending events; the secret stays for the next URL. */
export function deleteWebhook({
  store,
  effects,
}: {
  readonly store: Pick<Store, 'unsetWebhook'>
  readonly effects: Effects
}): Endpoint {
  return endpoint('deleteWebhook', async (_call, { key: { account } }) => {
    await effects.failpoint('webhook.url_unset', () => store.unsetWebhook(account.accountId))
    return { status: 204, body: undefined }
  })
}

export interface TestWebhookDeps {
  readonly store: Pick<Store, 'findWebhook'>
  readonly plans: Plans
  readonly effects: Effects
  readonly postWebhook: PostWebhook
  readonly userAgent: string
}

/** `POST /v1/webhook/test`: makes one attempt and returns its result, which is not stored. */
export function testWebhook(deps: TestWebhookDeps): Endpoint {
  const { plans } = deps
  const inFlight = new Map<string, number>()
  return endpoint('testWebhook', async (_call, { key: { account }, newId }) => {
    requireFeature(account, planOf(plans, account), 'webhooks')
    const { accountId } = account
    const others = inFlight.get(accountId) ?? 0
    if (others >= testsAtOnce) throw tooManyTests
    inFlight.set(accountId, others + 1)
    try {
      return { status: 200, body: await sendTest(deps, accountId, newId) }
    } finally {
      const left = (inFlight.get(accountId) ?? 1) - 1
      if (left === 0) inFlight.delete(accountId)
      else inFlight.set(accountId, left)
    }
  })
}

/** One account, at this server: each test holds a connection to a host that the account chose. */
const testsAtOnce = 2

const longestTestSeconds = attemptMs / 1_000

const tooManyTests = refusal(
  429,
  `${testsAtOnce} tests of this account wait for their answers; send another one after them, in ${longestTestSeconds} s at the latest`,
  { 'Retry-After': String(longestTestSeconds) },
)

async function sendTest(
  { store, effects, postWebhook, userAgent }: TestWebhookDeps,
  accountId: string,
  newId: () => string,
): Promise<WebhookTest> {
  const { url, secrets } = await store.findWebhook(accountId)
  if (url === null) throw refusal(404, 'No webhook URL is set: send it with PUT /v1/webhook')
  // The host's clock is sufficient: receivers tolerate minutes.
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
  return { ok, response_status: responseStatus, duration_ms: duration, error }
}

export function webhookRecord({ url, events, secrets, createdAt }: StoredWebhook): Webhook {
  const [secret] = secrets
  if (secret === undefined) throw new Error('an account without a webhook secret')
  return { url, events: [...events], secret, created_at: timestamp(createdAt) }
}
