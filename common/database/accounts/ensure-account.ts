import { accountColumns } from './account-columns.ts'
import type { Account, NewAccount } from '../../store/accounts.ts'
import type { Query } from '../query.ts'

/**
 * Locks nothing that exists: a known name or id changes nothing, and of two starters one inserts
 * while the other waits for its commit and then finds the row.
 * @returns the account that is there now
 */
export async function ensureAccount(query: Query, account: NewAccount): Promise<Account> {
  await query(
    'ensure_account',
    'insert into accounts (account_id, name, plan) values ($1, $2, $3) on conflict do nothing',
    [account.accountId, account.name, account.plan],
  )
  const [found] = await query<Account>(
    'find_ensured_account',
    `select ${accountColumns}
     from accounts a where name = $2 or account_id = $1
     order by name = $2 desc limit 1`,
    [account.accountId, account.name],
  )
  if (found === undefined) throw new Error(`account ${account.name} vanished`)
  return found
}
