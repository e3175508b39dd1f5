import { createLoop } from '../../common/runtime/loop.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Loop } from '../../common/runtime/loop.ts'
import type { Store } from '../../common/store/store.ts'

interface Deps {
  readonly store: Pick<Store, 'foldUsage' | 'expireIdempotencyKeys' | 'forgetClientRates'>
  readonly effects: Effects
  readonly logger: Logger
}

const everyMs = 10_000
/** Rows per statement: 1,000 rows take some ten milliseconds. */
const batch = 1_000

/**
 * Adds up usage and removes expired idempotency keys and full buckets of clients. No request depends on it: sums include changes
 * that are not added up yet, and expired keys count as new. All replicas may run it concurrently.
 */
export function tidyLimits({ store, effects, logger }: Deps): Loop {
  return createLoop({
    name: 'limits',
    everyMs,
    effects,
    logger,
    async work(signal) {
      await untilFewer(signal, () =>
        effects.failpoint('limits.usage_folded', () => store.foldUsage(batch)),
      )
      await untilFewer(signal, () =>
        effects.failpoint('limits.keys_expired', () => store.expireIdempotencyKeys(batch)),
      )
      await untilFewer(signal, () =>
        effects.failpoint('limits.rates_forgotten', () => store.forgetClientRates(batch)),
      )
    },
  })
}

async function untilFewer(signal: AbortSignal, work: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await work()) === batch);
}
