import { accountColumns } from './account-columns.ts'
import type { AccountRecord } from '../../store/accounts.ts'
import type { Query } from '../query.ts'

/** Locks nothing. Reads all of a small table: people ask this, not requests. */
export function listAccounts(query: Query, which: string | null): Promise<AccountRecord[]> {
  return query<AccountRecord>(
    'list_accounts',
    `select ${accountColumns}, a.email, a.created_at as "createdAt",
       (select count(*) from api_keys k where k.account_id = a.account_id and not k.disabled) as keys
     from accounts a
     where $1::text is null or a.name = $1 or a.account_id::text = lower($1) or a.email = lower($1)
     order by a.name`,
    [which],
  )
}
