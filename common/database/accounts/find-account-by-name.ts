import { accountColumns } from './account-columns.ts'
import type { Account } from '../../store/accounts.ts'
import type { Query } from '../query.ts'

/** Locks nothing. */
export async function findAccountByName(query: Query, name: string): Promise<Account | null> {
  const [row] = await query<Account>(
    'find_account_by_name',
    `select ${accountColumns} from accounts a where name = $1`,
    [name],
  )
  return row ?? null
}
