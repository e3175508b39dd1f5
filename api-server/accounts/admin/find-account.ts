import { AdminError } from './admin-command.ts'
import type { AccountRecord } from '../../../common/store/accounts.ts'
import type { AdminDeps } from './admin-command.ts'

/** By name, id or address. @throws AdminError */
export async function findAccount({ store }: AdminDeps, which: string): Promise<AccountRecord> {
  const found = await store.listAccounts(which)
  const [account] = found
  if (account === undefined) {
    throw new AdminError(`there is no account '${which}': 'accounts list' shows all of them`)
  }
  if (found.length > 1) throw new AdminError(`'${which}' fits several accounts: give the id`)
  return account
}
