import { bootstrap } from './accounts/bootstrap.ts'
import { sleep } from '../common/runtime/effects.ts'
import { DatabaseUnavailable } from '../common/store/health.ts'
import type { BootstrapSettings } from './accounts/bootstrap.ts'
import type { Effects } from '../common/runtime/effects.ts'
import type { Logger } from '../common/runtime/logger.ts'
import type { Store } from '../common/store/store.ts'

interface Deps {
  readonly store: Store
  readonly effects: Effects
  readonly logger: Logger
  /** Migrates as far as this program's statements need; absent if the `migrate` command migrates. */
  readonly migrate: (() => Promise<{ from: number; to: number }>) | null
  /** Records the level of this program and its installation, before the schema is checked. */
  readonly announce: () => Promise<void>
}

const retryMs = 500

/**
 * Migrates the schema and creates the first account. Waits for an unavailable database: in a new
 * installation it starts concurrently, and a process that exits would wait in CrashLoopBackOff.
 */
export async function prepareDatabase(
  deps: Deps,
  settings: BootstrapSettings,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      // Twice: the database of another installation must not be migrated, and a new one has no tables yet.
      await deps.announce()
      const migrated = await deps.migrate?.()
      await deps.announce()
      await deps.store.ping()
      const account = await bootstrap(deps, settings)
      deps.logger.info('database ready', { ...migrated, account: account.name })
      return
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      if (tries % 10 === 1) deps.logger.warn('waiting for the database', { error })
      await sleep(deps.effects.clock, retryMs, signal)
    }
  }
}
