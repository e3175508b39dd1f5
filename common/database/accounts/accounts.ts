import type {
  Account,
  AccountAdministrationStore,
  AccountRecord,
  AccountStore,
  ApiKeyRecord,
  NewApiKey,
} from '../../store/accounts.ts'
import type { Database, Query } from '../connection/query.ts'

/** Select list of an `Account`; the table is `a` in every statement. */
export const accountColumns = `a.account_id as "accountId", a.name, a.plan, a.suspended,
  a.default_output_ttl_seconds as "defaultOutputTtlSeconds"`

/** Select list of an `ApiKeyRecord`. */
export const apiKeyColumns = `key_id as "keyId", account_id as "accountId", label,
  environment_name as "environmentName", disabled, created_at as "createdAt"`

/** Accounts and their API keys. */
export function accounts(database: Database): AccountStore & AccountAdministrationStore {
  const { query } = database
  return {
    /**
     * Locks no existing row: a known name or id changes nothing. If two replicas start concurrently, one
     * inserts while the other waits for its commit and then finds the row.
     * @returns the present account
     */
    async ensureAccount(account) {
      await query(
        'ensure_account',
        'insert into accounts (account_id, name, plan) values ($1, $2, $3) on conflict do nothing',
        [account.accountId, account.name, account.plan],
      )
      const [found] = await query<Account>(
        'find_ensured_account',
        `select ${accountColumns}
         from accounts a where name = $2 or account_id = $1
         order by name = $2 desc limit 1`,
        [account.accountId, account.name],
      )
      if (found === undefined)
        throw new Error(`account ${account.name} does not exist after its insert`)
      return found
    },

    /** Locks nothing; the primary key decides between two that add the same hash. */
    async ensureApiKey(key) {
      await query(
        'ensure_api_key',
        `insert into api_keys (sha256, account_id, environment_name) values ($1, $2, $3)
         on conflict do nothing`,
        [Buffer.from(key.sha256), key.accountId, key.environmentName],
      )
    },

    /** Locks nothing. The comparison is an index look-up of a hash: its timing reveals nothing about the key. */
    async findKey(sha256) {
      const [row] = await query<Account & { environmentName: string | null }>(
        'find_key',
        `select ${accountColumns}, k.environment_name as "environmentName"
         from api_keys k join accounts a using (account_id)
         where k.sha256 = $1 and not k.disabled and a.deleting_at is null`,
        [Buffer.from(sha256)],
      )
      if (row === undefined) return null
      const { environmentName, ...account } = row
      return { account, environmentName }
    },

    /** Locks nothing. */
    async findAccountByName(name) {
      const [row] = await query<Account>(
        'find_account_by_name',
        `select ${accountColumns} from accounts a where name = $1`,
        [name],
      )
      return row ?? null
    },

    /** Account and key in one transaction. Waits for a concurrent one with the same name or address. */
    createAccount(account, key) {
      const { accountId, name, plan, email } = account
      return database.transaction(async (query) => {
        await query(
          'create_account',
          `insert into accounts (account_id, name, plan, email) values ($1, $2, $3, $4)
           on conflict do nothing`,
          [accountId, name, plan, email],
        )
        const made = await query(
          'find_created_account',
          'select from accounts where account_id = $1',
          [accountId],
        )
        if (made.length === 0) return false
        if (key !== null) await addApiKey(query, accountId, key)
        return true
      })
    },

    /** Locks nothing. Reads all of a small table: only administrators call it. */
    listAccounts(which) {
      return query<AccountRecord>(
        'list_accounts',
        `select ${accountColumns}, a.email, a.created_at as "createdAt", a.deleting_at as "deletingAt",
           (select count(*) from api_keys k where k.account_id = a.account_id and not k.disabled) as keys
         from accounts a
         where $1::text is null or a.name = $1 or a.account_id::text = lower($1) or a.email = lower($1)
         order by a.name`,
        [which],
      )
    },

    /** Locks one row, for which it may wait briefly during an admission of the account. */
    async changeAccount(accountId, change) {
      const { plan, suspended, defaultOutputTtlSeconds } = change
      await query(
        'change_account',
        `update accounts set
           plan = coalesce($2, plan),
           suspended = coalesce($3, suspended) or deleting_at is not null,
           default_output_ttl_seconds = case when $4 then $5 else default_output_ttl_seconds end
         where account_id = $1`,
        [
          ...[accountId, plan ?? null, suspended ?? null],
          ...[defaultOutputTtlSeconds !== undefined, defaultOutputTtlSeconds ?? null],
        ],
      )
    },

    addApiKey: (accountId, key) => addApiKey(query, accountId, key),

    /** Locks nothing. */
    listApiKeys(accountId) {
      return query<ApiKeyRecord>(
        'list_api_keys',
        `select ${apiKeyColumns} from api_keys where account_id = $1 order by created_at, key_id`,
        [accountId],
      )
    },

    /** Locks one row. API servers see the change within their key cache's TTL of five seconds. */
    async changeApiKey(keyId, change) {
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
    },
  }
}

/** Locks nothing; a key that exists already stays unchanged. */
export async function addApiKey(query: Query, accountId: string, key: NewApiKey): Promise<void> {
  await query(
    'add_api_key',
    `insert into api_keys (key_id, sha256, account_id, environment_name, label)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [key.keyId, Buffer.from(key.sha256), accountId, key.environmentName, key.label],
  )
}
