import { attemptHeaders, webhookIdOf } from './attempt-headers.ts'
import { eventBodyOf } from './event-body.ts'
import { attemptMs } from './post-webhook.ts'
import { timestamp } from '../http/format.ts'
import { planOf } from '../../common/domain/plans.ts'
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
 * `failed`: tried again later; `given_up`: the last failure, or a 410; `refused`: not sent, because
 * the plan lost its webhooks or the record is gone; `lost`: another replica has taken it over.
 */
export type AttemptResult = 'delivered' | 'failed' | 'given_up' | 'refused' | 'lost'

/** An attempt is over before another replica may take it for abandoned. */
export const leaseSeconds = 40
/** What is left of the lease for the attempt itself and for recording it. */
const latestStartMs = leaseSeconds * 1_000 - attemptMs - 5_000

/**
 * One attempt: the event's bytes are fixed before they are first sent, and its end is recorded after
 * the answer. A crash between the two sends the same bytes under the same id once more.
 * @param claimedMs monotonic time from before the claim
 * @throws errors of the database; the signal's reason, after giving the attempt back
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  claimedMs: number,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { store, effects } = deps
  if (!planOf(deps.plans, delivery.plan).webhooks) {
    return refuse(deps, delivery, `Plan '${delivery.plan}' does not include webhooks`)
  }
  const rendered = delivery.body ?? (await eventBodyOf(deps, delivery))
  if (rendered === null) return refuse(deps, delivery, 'The record no longer exists')
  const body =
    delivery.body ??
    (await effects.failpoint('webhook.body_kept', () =>
      store.keepDeliveryBody({ ...leaseOf(delivery), body: rendered }),
    ))
  // A replica that was held up must not send what another one is sending by now.
  if (body === null || effects.clock.monotonicMs() - claimedMs > latestStartMs) return 'lost'
  const headers = attemptHeaders({
    webhookId: webhookIdOf(delivery.deliveryId),
    event: delivery.event,
    at: delivery.claimedAt,
    secrets: delivery.secrets,
    body,
    userAgent: deps.userAgent,
  })
  const result = await effects.failpoint('webhook.sent', () =>
    sendOrGiveBack(deps, delivery, { url: delivery.url, headers, body }, signal),
  )
  const end = endOf(result, delivery.failedAttempts)
  const { responseStatus: response_status, error } = result
  const attempt = { at: timestamp(delivery.claimedAt), response_status, error }
  return record(deps, delivery, { ...end, attempt })
}

async function sendOrGiveBack(
  { store, post }: AttemptDeps,
  delivery: ClaimedDelivery,
  request: Parameters<PostWebhook>[0],
  signal: AbortSignal,
): Promise<PostResult> {
  try {
    return await post(request, signal)
  } catch (error) {
    await store.releaseDelivery(leaseOf(delivery))
    throw error
  }
}

function refuse(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  error: string,
): Promise<AttemptResult> {
  const attempt = { at: timestamp(delivery.claimedAt), response_status: null, error }
  const end = { status: 'FAILED', nextAttemptInSeconds: null, result: 'refused' } as const
  return record(deps, delivery, { ...end, attempt })
}

type End = Omit<RecordedAttempt, 'attempt'> & { readonly result: AttemptResult }

async function record(
  { store, effects }: AttemptDeps,
  delivery: ClaimedDelivery,
  { result, ...recorded }: End & Pick<RecordedAttempt, 'attempt'>,
): Promise<AttemptResult> {
  const done = await effects.failpoint('webhook.recorded', () =>
    store.recordDelivery({ ...leaseOf(delivery), ...recorded }),
  )
  return done ? result : 'lost'
}

function endOf({ ok, responseStatus }: PostResult, failedBefore: number): End {
  if (ok) return { status: 'DELIVERED', nextAttemptInSeconds: null, result: 'delivered' }
  // 410 Gone: the receiver wants no further attempts.
  const waitSeconds = responseStatus === 410 ? null : nextAttemptInSeconds(failedBefore + 1)
  return waitSeconds === null
    ? { status: 'FAILED', nextAttemptInSeconds: null, result: 'given_up' }
    : { status: 'PENDING', nextAttemptInSeconds: waitSeconds, result: 'failed' }
}

function leaseOf({ deliveryId, lease }: ClaimedDelivery) {
  return { deliveryId, lease }
}

/** From a failed attempt to the next: after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. */
const waitsSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]

/**
 * No jitter, because the times are promised; ends of commands spread the attempts by themselves.
 * @param failed attempts so far, at least 1
 * @returns seconds to wait, null: it is given up
 */
export function nextAttemptInSeconds(failed: number): number | null {
  return waitsSeconds[failed - 1] ?? null
}
