import { accountColumns } from './account-columns.ts'
import { addApiKey, isValid } from './api-keys.ts'
import type {
  Account,
  AccountAdministrationStore,
  AccountRecord,
  AccountStore,
} from '../../store/accounts.ts'
import type { Database } from '../connection/query.ts'

/** Accounts without their keys. */
export function accounts(
  database: Database,
): Pick<AccountStore, 'ensureAccount' | 'findAccountByName'> & AccountAdministrationStore {
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
           (select count(*) from api_keys k where k.account_id = a.account_id and ${isValid}) as keys
         from accounts a
         where $1::text is null or a.name = $1 or a.account_id::text = lower($1) or a.email = lower($1)
         order by a.name`,
        [which],
      )
    },

    /** Locks nothing; reads the waiting rows and the rows that hold a Job, each by its own index. */
    async countUnfinished(accountId) {
      const rows = await query<{ count: number }>(
        'count_unfinished',
        `select count(*) as count from (
           select from commands where account_id = $1 and admitted_at is null and finished_at is null
           union all
           select from commands where account_id = $1 and admitted_at is not null and released_at is null
         ) unfinished`,
        [accountId],
      )
      return rows[0]?.count ?? 0
    },

    /** Locks one row, for which it may wait briefly during an admission of the account. */
    async changeAccount(accountId, change) {
      const { plan, suspended, defaultOutputTtlSeconds, limits = {} } = change
      const names = Object.keys(limits)
      await query(
        'change_account',
        `update accounts set
           plan = coalesce($2, plan),
           suspended = coalesce($3, suspended) or deleting_at is not null,
           default_output_ttl_seconds = case when $4 then $5 else default_output_ttl_seconds end,
           limits = (limits - $6::text[]) || $7::jsonb
         where account_id = $1`,
        [
          accountId,
          plan ?? null,
          suspended ?? null,
          defaultOutputTtlSeconds !== undefined,
          defaultOutputTtlSeconds ?? null,
          // Leaves out what is undefined.
          names,
          JSON.stringify(limits),
        ],
      )
    },
  }
}
