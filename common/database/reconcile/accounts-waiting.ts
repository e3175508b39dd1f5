import { accountColumns } from '../accounts/account-columns.ts'
import type { Account } from '../../store/accounts.ts'
import type { Query } from '../query.ts'

/** Locks nothing. Rows without a custom resource do not wait yet: the live-resource limit holds them. */
export function accountsWaiting(query: Query, limit: number): Promise<Account[]> {
  return query<Account>(
    'accounts_waiting',
    `select ${accountColumns}
     from commands c join accounts a using (account_id)
     where c.admitted_at is null and c.finished_at is null
       and c.dispatched_at is not null and not c.cancel_requested
     group by a.account_id
     order by min(c.created_at), a.account_id limit $1`,
    [limit],
  )
}
