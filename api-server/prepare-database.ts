import { bootstrap } from './accounts/bootstrap.ts'
import { sleep } from '../common/runtime/effects.ts'
import { DatabaseUnavailable } from '../common/store/health.ts'
import { SecretMissing } from './accounts/first-key.ts'
import { KubeError } from '../common/kubernetes/kube-error.ts'
import type { BootstrapSettings, Bootstrapped } from './accounts/bootstrap.ts'
import type { Effects } from '../common/runtime/effects.ts'
import type { Logger } from '../common/runtime/logger.ts'
import type { Store } from '../common/store/store.ts'

interface Deps {
  readonly store: Store
  readonly effects: Effects
  readonly logger: Logger
  /** Returns the names of the applied files; null if the `migrate` command migrates. */
  readonly migrate: (() => Promise<string[]>) | null
  /** Takes the database for this installation. */
  readonly claim: () => Promise<void>
}

interface Settings extends Omit<BootstrapSettings, 'apiKey'> {
  /** Undefined: there is none. */
  readonly readApiKey: (signal: AbortSignal) => Promise<string | undefined>
}

const retryMs = 500

/**
 * Migrates the schema and creates the first account. Waits for an unavailable database, and for the Secret of the
 * first key: in a new installation they start concurrently, and a process that exits would wait in CrashLoopBackOff.
 */
export async function prepareDatabase(
  deps: Deps,
  settings: Settings,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      // Twice: the database of another installation must not be migrated, and a new one has no tables yet.
      await deps.claim()
      const migrations = await deps.migrate?.()
      await deps.claim()
      await deps.store.ping()
      const apiKey = await settings.readApiKey(signal)
      const bootstrapped = await bootstrap(deps, { ...settings, apiKey })
      deps.logger.info('database ready', { migrations, account: bootstrapped.account.name })
      report(deps.logger, bootstrapped)
      return
    } catch (error) {
      const waitsFor = awaited(error)
      if (waitsFor === null) throw error
      if (tries % 10 === 1) deps.logger.warn(`waiting for ${waitsFor}`, { error })
      await sleep(deps.effects.clock, retryMs, signal)
    }
  }
}

/** null for an error that waiting does not mend. */
function awaited(error: unknown): string | null {
  if (error instanceof DatabaseUnavailable) return 'the database'
  if (error instanceof SecretMissing || error instanceof KubeError) {
    return 'the Secret of the first API key'
  }
  return null
}

function report(logger: Logger, { account, key }: Bootstrapped): void {
  if (key === null) return
  if (key.replaced > 0) {
    logger.info('revoked the earlier key of the bootstrap Secret', { account: account.name })
  }
  if (key.isRevoked) {
    const remedy = 'write another key into it and restart the API server'
    logger.warn(`the key in the bootstrap Secret is revoked: ${remedy}`, { account: account.name })
  }
}
