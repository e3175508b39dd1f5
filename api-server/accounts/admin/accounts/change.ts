import { accountJson, accountTable } from '../account-view.ts'
import { findAccount } from '../find-account.ts'
import type { AccountChange } from '../../../../common/store/accounts.ts'
import type { AdminDeps, AdminResult, Given } from '../admin-command.ts'

/** Changes the account named by ACCOUNT and shows it. @throws AdminError */
export async function change(
  deps: AdminDeps,
  given: Given,
  to: AccountChange,
): Promise<AdminResult> {
  const { accountId } = await findAccount(deps, given.positional('ACCOUNT'))
  await deps.store.changeAccount(accountId, to)
  const account = await findAccount(deps, accountId)
  return { text: accountTable([account]), json: accountJson(account) }
}
