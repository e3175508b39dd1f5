import { accountColumns } from './account-columns.ts'
import type { Account, AuthenticatedKey } from '../../store/accounts.ts'
import type { Query } from '../query.ts'

/** Locks nothing. The comparison is an index look-up of a hash: its timing tells nothing of the key. */
export async function findKey(query: Query, sha256: Uint8Array): Promise<AuthenticatedKey | null> {
  const [row] = await query<Account & { environmentName: string | null }>(
    'find_key',
    `select ${accountColumns}, k.environment_name as "environmentName"
     from api_keys k join accounts a using (account_id)
     where k.sha256 = $1 and not k.disabled`,
    [Buffer.from(sha256)],
  )
  if (row === undefined) return null
  const { environmentName, ...account } = row
  return { account, environmentName }
}
