import { apiKeyColumns } from './api-key-columns.ts'
import type { ApiKeyRecord } from '../../store/accounts.ts'
import type { Query } from '../query.ts'

/** One row. Servers that know the key already see the change within their cache's five seconds. */
export async function changeApiKey(
  query: Query,
  keyId: string,
  change: { disabled?: true; environmentName?: string | null },
): Promise<ApiKeyRecord | null> {
  const [row] = await query<ApiKeyRecord>(
    'change_api_key',
    `update api_keys set
       disabled = disabled or $2,
       environment_name = case when $3 then $4 else environment_name end
     where key_id = $1
     returning ${apiKeyColumns}`,
    [
      ...[keyId, change.disabled === true],
      ...[change.environmentName !== undefined, change.environmentName ?? null],
    ],
  )
  return row ?? null
}
