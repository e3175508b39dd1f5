import { sleep } from '../../common/runtime/effects.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import type { Store } from '../../common/store/store.ts'

const againMs = 1_000

interface Deps {
  readonly store: Pick<Store, 'ping'>
  /** Takes the database for this installation. */
  readonly claim?: () => Promise<void>
  readonly clock: Clock
  readonly logger: Logger
}

/** The API server migrates the database; the operator cannot use it before that. */
export async function waitForSchema(
  { store, claim, clock, logger }: Deps,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted()
    try {
      await claim?.()
      return await store.ping()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      if (tries % 10 === 1) logger.info('waiting for the database', { cause: error.cause })
    }
    await sleep(clock, againMs, signal)
  }
}
