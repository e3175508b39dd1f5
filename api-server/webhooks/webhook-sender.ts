import { attemptDelivery, leaseSeconds } from './attempt-delivery.ts'
import { createLoop, createPacedLoop } from '../../common/runtime/loop.ts'
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

export interface WebhookSenderDeps extends AttemptDeps {
  readonly store: AttemptDeps['store'] &
    Pick<Store, 'claimDeliveries' | 'expireDeliveries' | 'rearmReceivers' | 'deliveryGauges'>
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
const upkeepMs = 15_000
const rearmMs = 60_000
/** How long deliveries are listed. */
const keptDays = 30
const expiryBatch = 1_000

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
  const upkeep = createLoop({
    name: 'webhook upkeep',
    everyMs: upkeepMs,
    effects,
    logger,
    work: keepUp,
  })
  const rearming = createLoop({
    name: 'webhook rearming',
    everyMs: rearmMs,
    effects,
    logger,
    async work() {
      metrics.rearmed(await failpoint('webhook.rearmed', () => store.rearmReceivers()))
    },
  })

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

  async function keepUp(signal: AbortSignal): Promise<void> {
    metrics.read(await store.deliveryGauges())
    let removed = expiryBatch
    while (removed === expiryBatch && !signal.aborted) {
      removed = await failpoint('webhook.expired', () =>
        store.expireDeliveries({ days: keptDays, limit: expiryBatch }),
      )
    }
  }

  return {
    notify: () => sending.wake(),
    sendNow: begin,
    async run(signal) {
      const unsubscribe = deps.hints.subscribe('webhooks', () => sending.hint())
      await Promise.all([sending, upkeep, rearming].map((loop) => loop.run(signal)))
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
