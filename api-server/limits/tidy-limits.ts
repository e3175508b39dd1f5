import { createPacedLoop } from '../../common/runtime/loop.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Loop } from '../../common/runtime/loop.ts'
import type { Store } from '../../common/store/store.ts'

interface Deps {
  readonly store: Pick<
    Store,
    'foldUsage' | 'recordVcpuPeaks' | 'expireIdempotencyKeys' | 'forgetClientRates'
  >
  readonly effects: Effects
  readonly logger: Logger
}

const everyMs = 10_000
const longestMs = 60_000
/** Rows per statement: 1,000 rows take some ten milliseconds. */
const batch = 1_000

/**
 * Adds up usage and removes expired idempotency keys and full buckets of clients. No request depends on it: sums include changes
 * that are not added up yet, and expired keys count as new. All replicas may run it concurrently.
 */
export function tidyLimits({ store, effects, logger }: Deps): Loop {
  return createPacedLoop({
    name: 'limits',
    everyMs,
    longestMs: () => longestMs,
    effects,
    logger,
    async work(signal) {
      const folded = await untilFewer(signal, () =>
        effects.failpoint('limits.usage_folded', () => store.foldUsage(batch)),
      )
      await effects.failpoint('limits.peaks_recorded', () => store.recordVcpuPeaks())
      const expired = await untilFewer(signal, () =>
        effects.failpoint('limits.keys_expired', () => store.expireIdempotencyKeys(batch)),
      )
      const forgotten = await untilFewer(signal, () =>
        effects.failpoint('limits.rates_forgotten', () => store.forgetClientRates(batch)),
      )
      return folded + expired + forgotten > 0
    },
  })
}

/** @returns rows that were changed */
async function untilFewer(signal: AbortSignal, work: () => Promise<number>): Promise<number> {
  let rows = 0
  while (!signal.aborted) {
    const changed = await work()
    rows += changed
    if (changed < batch) break
  }
  return rows
}
