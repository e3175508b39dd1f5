import { apiKeyColumns } from './api-key-columns.ts'
import type { ApiKeyRecord } from '../../store/accounts.ts'
import type { Query } from '../query.ts'

/** Locks nothing. */
export function listApiKeys(query: Query, accountId: string): Promise<ApiKeyRecord[]> {
  return query<ApiKeyRecord>(
    'list_api_keys',
    `select ${apiKeyColumns} from api_keys where account_id = $1 order by created_at, key_id`,
    [accountId],
  )
}
