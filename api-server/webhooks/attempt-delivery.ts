import { attemptHeaders, cutSignature, webhookIdOf } from './attempt-headers.ts'
import { eventBodyOf, presignedBody } from './event-body.ts'
import { attemptMs } from './post-webhook.ts'
import { timestamp } from '../http/format.ts'
import { namedPlan } from '../../common/domain/plans.ts'
import type { PostResult, PostWebhook } from './post-webhook.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'
import type { ClaimedDelivery, RecordedAttempt } from '../../common/store/webhooks.ts'
import type { FileUrls } from '../files/file-urls.ts'

export interface AttemptDeps {
  readonly store: Pick<
    Store,
    'findCommand' | 'findFile' | 'keepDeliveryBody' | 'recordDelivery' | 'releaseDelivery'
  >
  readonly fileUrls: FileUrls
  readonly plans: Plans
  readonly post: PostWebhook
  readonly effects: Effects
  readonly userAgent: string
}

/**
 * `failed`: will be retried; `given_up`: the last failure, or a 410; `refused`: not sent, because the
 * plan no longer includes webhooks or the record was deleted; `lost`: another replica has taken it over.
 */
export type AttemptResult = 'delivered' | 'failed' | 'given_up' | 'refused' | 'lost'

/** Longer than an attempt, so that no other replica takes over a running one. */
export const leaseSeconds = 40
/** The latest start in the lease, which leaves time for the attempt and its record. */
const latestStartMs = leaseSeconds * 1_000 - attemptMs - 5_000

/**
 * One attempt: the event's body is stored before it is first sent, and the result is recorded after
 * the answer. After a crash in between, the same body is sent again under the same id; presigned URLs alone differ.
 * @param claimedMs monotonic time from before the claim
 * @throws errors of the database; the signal's reason, after the release of the delivery
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  claimedMs: number,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { store, effects } = deps
  if (!namedPlan(deps.plans, delivery.plan).webhooks) {
    return refuse(deps, delivery, `Plan '${delivery.plan}' does not include webhooks`)
  }
  const rendered = delivery.body ?? (await eventBodyOf(deps, delivery))
  if (rendered === null) return refuse(deps, delivery, 'The record no longer exists')
  const kept =
    delivery.body ??
    (await effects.failpoint('webhook.body_kept', () =>
      store.keepDeliveryBody({ ...leaseOf(delivery), body: rendered }),
    ))
  const body = kept === null ? null : await presignedBody(deps, delivery, kept)
  // A delayed replica must not send an event that another replica may have claimed by now.
  if (body === null || effects.clock.monotonicMs() - claimedMs > latestStartMs) return 'lost'
  const headers = attemptHeaders({
    webhookId: webhookIdOf(delivery.deliveryId),
    event: delivery.event,
    at: delivery.claimedAt,
    secrets: delivery.secrets,
    body,
    userAgent: deps.userAgent,
  })
  const begunMs = effects.clock.monotonicMs()
  const result = await effects.failpoint('webhook.sent', () =>
    sendOrGiveBack(deps, delivery, { url: delivery.url, headers, body }, signal),
  )
  const { responseStatus: response_status, error, excerpt: response_excerpt } = result
  const duration_ms = Math.round(effects.clock.monotonicMs() - begunMs)
  const at = timestamp(delivery.claimedAt)
  return record(deps, delivery, {
    ...endOf(result, delivery),
    attempt: { at, response_status, error, duration_ms, response_excerpt },
    requestHeaders: cutSignature(headers),
    sent: true,
  })
}

async function sendOrGiveBack(
  { store, post, effects }: AttemptDeps,
  delivery: ClaimedDelivery,
  request: Parameters<PostWebhook>[0],
  signal: AbortSignal,
): Promise<PostResult> {
  try {
    return await post(request, signal)
  } catch (error) {
    await effects.failpoint('webhook.released', () => store.releaseDelivery(leaseOf(delivery)))
    throw error
  }
}

function refuse(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  error: string,
): Promise<AttemptResult> {
  const nothing = { response_status: null, duration_ms: null, response_excerpt: null }
  const attempt = { at: timestamp(delivery.claimedAt), error, ...nothing }
  const end = { status: 'FAILED', nextAttemptInSeconds: null, result: 'refused' } as const
  return record(deps, delivery, { ...end, attempt, requestHeaders: null, sent: false })
}

type Sent = Pick<RecordedAttempt, 'attempt' | 'requestHeaders' | 'sent'>
type End = Omit<RecordedAttempt, keyof Sent> & { readonly result: AttemptResult }

async function record(
  { store, effects }: AttemptDeps,
  delivery: ClaimedDelivery,
  { result, ...recorded }: End & Sent,
): Promise<AttemptResult> {
  const done = await effects.failpoint('webhook.recorded', () =>
    store.recordDelivery({ ...leaseOf(delivery), ...recorded }),
  )
  return done ? result : 'lost'
}

function endOf(
  { ok, responseStatus }: PostResult,
  { failedAttempts, resent }: ClaimedDelivery,
): End {
  if (ok) return { status: 'DELIVERED', nextAttemptInSeconds: null, result: 'delivered' }
  // 410 Gone: the receiver wants no further attempts.
  const isLast = resent || responseStatus === 410
  const waitSeconds = isLast ? null : nextAttemptInSeconds(failedAttempts + 1)
  return waitSeconds === null
    ? { status: 'FAILED', nextAttemptInSeconds: null, result: 'given_up' }
    : { status: 'PENDING', nextAttemptInSeconds: waitSeconds, result: 'failed' }
}

function leaseOf({ deliveryId, lease }: ClaimedDelivery) {
  return { deliveryId, lease }
}

/** Delays between attempts: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. */
const waitsSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]

/**
 * No jitter, because the times are documented; commands end at different times anyway.
 * @param failed attempts so far, at least 1
 * @returns seconds to wait; null after the last attempt
 */
export function nextAttemptInSeconds(failed: number): number | null {
  return waitsSeconds[failed - 1] ?? null
}
