import { addApiKey } from './add-api-key.ts'
import type { NewAccountRecord, NewApiKey } from '../../store/accounts.ts'
import type { Database } from '../query.ts'

/** Account and key in one transaction. Waits for another that takes the same name or address now. */
export function createAccount(
  database: Database,
  account: NewAccountRecord,
  key: NewApiKey | null,
): Promise<boolean> {
  const { accountId, name, plan, email } = account
  return database.transaction(async (query) => {
    await query(
      'create_account',
      `insert into accounts (account_id, name, plan, email) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [accountId, name, plan, email],
    )
    const made = await query('find_created_account', 'select from accounts where account_id = $1', [
      accountId,
    ])
    if (made.length === 0) return false
    if (key !== null) await addApiKey(query, accountId, key)
    return true
  })
}
