import { attemptDelivery, leaseSeconds } from './attempt-delivery.ts'
import { webhookUpkeep } from './webhook-upkeep.ts'
import { createPacedLoop } from '../../common/runtime/loop.ts'
import type { WebhookUpkeepDeps } from './webhook-upkeep.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { WorkHints } from '../../common/store/hints.ts'
import type { Store } from '../../common/store/store.ts'
import type { ClaimedDelivery, Receiver } from '../../common/store/webhooks.ts'
import type { SendNow } from './one-delivery.ts'
import type { AttemptDeps } from './attempt-delivery.ts'
import type { WebhookMetrics } from './webhook-metrics.ts'

export interface WebhookSender {
  /** Runs until the signal; attempts in flight then get `lingerMs`. Never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Deliveries may be waiting: poll now. */
  readonly notify: () => void
  /** Attempts a delivery that its account wants sent again; another replica does so if this one stops. */
  readonly sendNow: SendNow
}

export interface WebhookSenderDeps extends AttemptDeps, WebhookUpkeepDeps {
  readonly store: AttemptDeps['store'] & WebhookUpkeepDeps['store'] & Pick<Store, 'claimDeliveries'>
  readonly hints: WorkHints
  /** Maximum number of concurrent attempts. */
  readonly concurrency: number
  readonly logger: Logger
  readonly metrics: WebhookMetrics
}

/** Most commands end in another process; this is the maximum delay until they are noticed here without hints. */
const pollMs = 250
/** Timeout of attempts after the signal; slower deliveries are released for another replica. */
const lingerMs = 5_000

/**
 * Sends pending deliveries. The queue consists of rows and leases, so any number of replicas may run
 * it and each may crash anywhere: an event is sent at least once.
 */
export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const { store, effects, logger, metrics, concurrency } = deps
  const { clock, failpoint } = effects
  const underWay = new Map<string, { readonly receiver: Receiver; readonly end: Promise<void> }>()
  const giveUp = new AbortController()
  // A receiver that hangs until the timeout delays its own events only, and one account can use at
  // most half of the concurrent attempts.
  const perReceiver = Math.ceil(concurrency / 8)
  const perAccount = Math.ceil(concurrency / 2)

  const sending = createPacedLoop({
    name: 'webhooks',
    everyMs: pollMs,
    shortestMs: () => deps.hints.shortestMs(),
    longestMs: () => deps.hints.longestMs(),
    work: claimSome,
    effects,
    logger,
  })
  const upkeep = webhookUpkeep(deps)

  async function claimSome(signal: AbortSignal): Promise<boolean> {
    const limit = concurrency - underWay.size
    if (limit <= 0) return true
    const claimedMs = clock.monotonicMs()
    const receivers = [...underWay.values()].map(({ receiver }) => receiver)
    const claimed = await failpoint('webhook.claimed', () =>
      store.claimDeliveries({
        limit,
        perAccount,
        perReceiver,
        leaseSeconds,
        underWay: receivers,
      }),
    )
    for (const delivery of claimed) begin(delivery, claimedMs)
    // Deliveries that were claimed during the signal are in flight by now, so none is lost.
    signal.throwIfAborted()
    return claimed.length > 0 || underWay.size > 0
  }

  function begin(delivery: ClaimedDelivery, claimedMs: number): void {
    const end = attempt(delivery, claimedMs)
    underWay.set(`${delivery.deliveryId} ${delivery.lease}`, { receiver: delivery, end })
  }

  async function attempt(delivery: ClaimedDelivery, claimedMs: number): Promise<void> {
    try {
      metrics.attempted(await attemptDelivery(deps, delivery, claimedMs, giveUp.signal))
    } catch (error) {
      // The lease expires, and the replica that claims it next retries.
      if (!giveUp.signal.aborted)
        logger.warn('webhook not delivered', { ...named(delivery), error })
    } finally {
      underWay.delete(`${delivery.deliveryId} ${delivery.lease}`)
      // A slot is free.
      sending.wake()
    }
  }

  return {
    notify: () => sending.wake(),
    sendNow: begin,
    async run(signal) {
      const unsubscribe = deps.hints.subscribe('webhooks', () => sending.hint())
      await Promise.all([sending, ...upkeep].map((loop) => loop.run(signal)))
      unsubscribe()
      const cancel = clock.schedule(lingerMs, () => giveUp.abort(new Error('stopping')))
      await Promise.all([...underWay.values()].map(({ end }) => end))
      cancel()
    },
  }
}

function named({ deliveryId, accountId, event }: ClaimedDelivery) {
  return { delivery_id: deliveryId, account_id: accountId, event }
}
