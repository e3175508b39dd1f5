import { keyHash } from './secrets.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'

export interface BootstrapSettings {
  readonly account: string
  readonly plan: string
  /** Absent: only the account is created; the administration adds its keys. */
  readonly apiKey: string | undefined
}

/**
 * Creates the installation's first account and its key. Idempotent, so each replica runs it at each
 * start; a key that was rotated in its Secret is added beside the old one.
 */
export async function bootstrap(
  deps: { readonly store: Store; readonly effects: Effects },
  settings: BootstrapSettings,
): Promise<Account> {
  const { store, effects } = deps
  const wanted = { accountId: effects.newId(), name: settings.account, plan: settings.plan }
  const account = await effects.failpoint('accounts.ensured', () => store.ensureAccount(wanted))
  const apiKey = settings.apiKey?.trim()
  if (apiKey !== undefined && apiKey !== '') {
    const { accountId } = account
    const key = { accountId, sha256: keyHash(apiKey), environmentName: null }
    await effects.failpoint('accounts.key_ensured', () => store.ensureApiKey(key))
  }
  return account
}
