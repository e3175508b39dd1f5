import { createLoop } from '../../common/runtime/loop.ts'
import type { WebhookMetrics } from './webhook-metrics.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Loop } from '../../common/runtime/loop.ts'
import type { Store } from '../../common/store/store.ts'

export interface WebhookUpkeepDeps {
  readonly store: Pick<Store, 'expireDeliveries' | 'rearmReceivers' | 'deliveryGauges'>
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: WebhookMetrics
}

const upkeepMs = 15_000
const rearmMs = 60_000
/** How long deliveries are listed. */
const keptDays = 30
const expiryBatch = 1_000

/** Loops that remove old deliveries, count the others, and schedule receivers that no claim would find. */
export function webhookUpkeep({ store, effects, logger, metrics }: WebhookUpkeepDeps): Loop[] {
  const { failpoint } = effects
  const upkeep = createLoop({
    name: 'webhook upkeep',
    everyMs: upkeepMs,
    effects,
    logger,
    async work(signal) {
      metrics.read(await store.deliveryGauges())
      let removed = expiryBatch
      while (removed === expiryBatch && !signal.aborted) {
        removed = await failpoint('webhook.expired', () =>
          store.expireDeliveries({ days: keptDays, limit: expiryBatch }),
        )
      }
    },
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
  return [upkeep, rearming]
}
