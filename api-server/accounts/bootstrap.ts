import { keyHash } from './secrets.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Account, FirstKeyState } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'

export interface BootstrapSettings {
  readonly account: string
  readonly plan: string
  /** Absent: only the account is created; the administration adds its keys. */
  readonly apiKey: string | undefined
}

export interface Bootstrapped {
  readonly account: Account
  /** null: no key was given. */
  readonly key: FirstKeyState | null
}

/**
 * Creates the installation's first account and its key. Idempotent, so each replica runs it at each
 * start; of the keys that were in its Secret the last one alone is valid.
 */
export async function bootstrap(
  deps: { readonly store: Store; readonly effects: Effects },
  settings: BootstrapSettings,
): Promise<Bootstrapped> {
  const { store, effects } = deps
  const wanted = { accountId: effects.newId(), name: settings.account, plan: settings.plan }
  const account = await effects.failpoint('accounts.ensured', () => store.ensureAccount(wanted))
  const apiKey = settings.apiKey?.trim()
  if (apiKey === undefined || apiKey === '') return { account, key: null }
  const first = { accountId: account.accountId, sha256: keyHash(apiKey) }
  const key = await effects.failpoint('accounts.key_ensured', () => store.ensureFirstKey(first))
  return { account, key }
}
