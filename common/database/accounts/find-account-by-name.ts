import type { Account } from '../../store/accounts.ts'
import type { Query } from '../query.ts'

/** Locks nothing. */
export async function findAccountByName(query: Query, name: string): Promise<Account | null> {
  const [row] = await query<Account>(
    'find_account_by_name',
    `select account_id as "accountId", name, plan, suspended from accounts where name = $1`,
    [name],
  )
  return row ?? null
}
