import type { Query } from '../query.ts'

/** Locks nothing; the primary key decides between two that add the same hash. */
export async function ensureApiKey(
  query: Query,
  key: { accountId: string; sha256: Uint8Array; environmentName: string | null },
): Promise<void> {
  await query(
    'ensure_api_key',
    `insert into api_keys (sha256, account_id, environment_name) values ($1, $2, $3)
     on conflict do nothing`,
    [Buffer.from(key.sha256), key.accountId, key.environmentName],
  )
}
