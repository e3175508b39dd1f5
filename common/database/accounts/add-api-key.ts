import type { NewApiKey } from '../../store/accounts.ts'
import type { Query } from '../query.ts'

/** Locks nothing; a key that is there already stays as it is. */
export async function addApiKey(query: Query, accountId: string, key: NewApiKey): Promise<void> {
  await query(
    'add_api_key',
    `insert into api_keys (key_id, sha256, account_id, environment_name, label)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [key.keyId, Buffer.from(key.sha256), accountId, key.environmentName, key.label],
  )
}
