import { accountColumns } from './account-columns.ts'
import type {
  Account,
  ApiKeyRecord,
  AuthenticatedKey,
  KeyStore,
  NewApiKey,
} from '../../store/accounts.ts'
import type { Database, Query } from '../connection/query.ts'

/**
 * A program of the release before accepts each key that is not disabled, for all calls and without an end. So
 * keys that are read-only or expire are stored as disabled, and have an end of their own.
 */
const isRevoked = `case when k.read_only or k.expires_at is not null
  then k.revoked_at is not null else k.disabled end`

/** Condition for statements in which `k` is the key. */
export const isValid = `(not ${isRevoked} and (k.expires_at is null or k.expires_at > now()))`

/** Select list of an `ApiKeyRecord`. */
const apiKeyColumns = `k.key_id as "keyId", k.account_id as "accountId", k.label, k.prefix,
  k.environment_name as "environmentName", k.read_only as "readOnly", ${isRevoked} as disabled,
  k.created_at as "createdAt", k.last_used_at as "lastUsedAt", k.expires_at as "expiresAt",
  coalesce(k.expires_at <= now(), false) as expired`

type KeyRow = Account & Omit<AuthenticatedKey, 'account'>

/** Label of keys that the bootstrap Secret holds or held; an older key gets it while the Secret holds it. */
const firstKeyLabel = 'Key of the bootstrap Secret'

/** Keys of accounts. */
export function apiKeys(database: Database): KeyStore {
  const { query } = database
  return {
    /** Locks nothing; the primary key decides between two that add the same hash. */
    async ensureApiKey(key) {
      await query(
        'ensure_api_key',
        `insert into api_keys (sha256, account_id, environment_name) values ($1, $2, $3)
         on conflict do nothing`,
        [Buffer.from(key.sha256), key.accountId, key.environmentName],
      )
    },

    /** Locks the keys that it changes; replicas that start together find them changed. */
    async ensureFirstKey({ accountId, sha256 }) {
      const values = [Buffer.from(sha256), accountId, firstKeyLabel]
      const [key] = await query<{ disabled: boolean }>(
        'ensure_first_key',
        `insert into api_keys as k (sha256, account_id, label) values ($1, $2, $3)
         on conflict (sha256) do update set label = coalesce(k.label, excluded.label)
         returning ${isRevoked} as disabled`,
        values,
      )
      const replaced = await query(
        'replace_first_keys',
        `update api_keys set disabled = true, revoked_at = now()
         where account_id = $2 and label = $3 and sha256 <> $1 and revoked_at is null and not disabled
         returning key_id`,
        values,
      )
      return { isRevoked: key?.disabled === true, replaced: replaced.length }
    },

    /** Locks nothing. The comparison is an index look-up of a hash: its timing reveals nothing about the key. */
    async findKey(sha256) {
      const [row] = await query<KeyRow>(
        'find_key',
        `select ${accountColumns}, k.key_id as "keyId", k.prefix, k.label,
           k.environment_name as "environmentName", k.read_only as "readOnly"
         from api_keys k join accounts a using (account_id)
         where k.sha256 = $1 and ${isValid} and a.deleting_at is null`,
        [Buffer.from(sha256)],
      )
      if (row === undefined) return null
      const { keyId, prefix, label, environmentName, readOnly, ...account } = row
      return { account, keyId, prefix, label, environmentName, readOnly }
    },

    /** Locks the key's row, which nothing holds for longer than a moment. */
    async noteKeyUse(keyId, prefix) {
      await query(
        'note_key_use',
        `update api_keys set last_used_at = now(), prefix = coalesce(prefix, $2)
         where key_id = $1
           and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
        [keyId, prefix],
      )
    },

    addApiKey: (accountId, key) => addApiKey(query, accountId, key),

    /** Locks the account, so that two requests cannot exceed the number together. */
    addOwnApiKey(accountId, key, most) {
      return database.transaction(async (within) => {
        await lockAccount(within, accountId)
        const others = await within(
          'count_own_keys',
          `select from api_keys k where k.account_id = $1 and k.key_id <> $2 and ${isValid}`,
          [accountId, key.keyId],
        )
        return others.length < most ? addApiKey(within, accountId, key) : null
      })
    },

    /** Locks nothing. */
    listApiKeys(accountId) {
      return query<ApiKeyRecord>(
        'list_api_keys',
        `select ${apiKeyColumns} from api_keys k where k.account_id = $1
         order by k.created_at, k.key_id`,
        [accountId],
      )
    },

    /** Locks nothing. */
    listOwnApiKeys(accountId) {
      return query<ApiKeyRecord>(
        'list_own_api_keys',
        `select ${apiKeyColumns} from api_keys k where k.account_id = $1 and not ${isRevoked}
         order by k.created_at, k.key_id`,
        [accountId],
      )
    },

    /** Locks one row. API servers see the change within their key cache's TTL of five seconds. */
    changeApiKey: (keyId, change) => changeApiKey(query, keyId, change),

    /** Locks the account: of two requests that each revoke the key of the other, one finds the last key. */
    revokeOwnApiKey(accountId, keyId) {
      return database.transaction(async (within) => {
        await lockAccount(within, accountId)
        const [key] = await within<{ isLast: boolean }>(
          'find_own_key',
          `select not k.read_only and ${isValid} and not exists (
             select from api_keys other
             where other.account_id = $1 and other.key_id <> $2 and not other.read_only
               and ${isValid.replaceAll('k.', 'other.')}
           ) as "isLast"
           from api_keys k where k.account_id = $1 and k.key_id = $2`,
          [accountId, keyId],
        )
        if (key === undefined) return 'unknown'
        if (key.isLast) return 'last'
        await changeApiKey(within, keyId, { disabled: true })
        return 'revoked'
      })
    },
  }
}

async function changeApiKey(
  query: Query,
  keyId: string,
  change: { disabled?: true; environmentName?: string | null },
): Promise<ApiKeyRecord | null> {
  const [row] = await query<ApiKeyRecord>(
    'change_api_key',
    `update api_keys k set
       disabled = disabled or $2,
       revoked_at = case when $2 then coalesce(revoked_at, now()) else revoked_at end,
       environment_name = case when $3 then $4 else environment_name end
     where key_id = $1
     returning ${apiKeyColumns}`,
    [
      keyId,
      change.disabled === true,
      change.environmentName !== undefined,
      change.environmentName ?? null,
    ],
  )
  return row ?? null
}

async function lockAccount(query: Query, accountId: string): Promise<void> {
  await query('lock_own_keys', 'select from accounts where account_id = $1 for no key update', [
    accountId,
  ])
}

/** Locks nothing; a key that exists already stays unchanged. */
export async function addApiKey(
  query: Query,
  accountId: string,
  key: NewApiKey,
): Promise<ApiKeyRecord> {
  const { readOnly = false, expiresInSeconds = null, prefix = null } = key
  await query(
    'add_api_key',
    `insert into api_keys (
       key_id, sha256, account_id, environment_name, label, prefix, read_only, expires_at, disabled
     )
     values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8), $7 or $8 is not null)
     on conflict do nothing`,
    [
      key.keyId,
      Buffer.from(key.sha256),
      accountId,
      key.environmentName,
      key.label,
      prefix,
      readOnly,
      expiresInSeconds,
    ],
  )
  const [added] = await query<ApiKeyRecord>(
    'find_added_api_key',
    `select ${apiKeyColumns} from api_keys k where k.key_id = $1`,
    [key.keyId],
  )
  if (added === undefined) throw new Error('the key does not exist after its insert')
  return added
}
