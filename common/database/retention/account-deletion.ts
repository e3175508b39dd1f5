import { countDeletedRows } from './deleted-rows.ts'
import type {
  AccountDeletionStore,
  AccountToDelete,
} from '../../store/retention/account-deletion.ts'
import type { Database } from '../connection/query.ts'

/** The deletion of accounts, in the order of the methods. */
export function accountDeletion(database: Database): AccountDeletionStore {
  const { query } = database
  return {
    /** Locks the account's row first, so that a second request waits and then changes nothing. */
    beginAccountDeletion(accountId) {
      return database.transaction(async (within) => {
        for (const [name, sql] of Object.entries(beginnings)) await within(name, sql, [accountId])
      })
    },

    /** Locks nothing. */
    findAccountDeletions(limit) {
      return query<AccountToDelete>(
        'find_deletions',
        `select account_id as "accountId",
           extract(epoch from now() - deleting_at)::double precision as seconds
         from accounts where deleting_at is not null order by deleting_at, account_id limit $1`,
        [limit],
      )
    },

    /** Locks the commands by ascending id. */
    async findUncancelled(accountId, limit) {
      const rows = await query<{ commandId: string }>(
        'deletion_uncancelled',
        `with unfinished as materialized (
           (select command_id from commands
            where account_id = $1 and dispatched_at is null and finished_at is null
              and not cancel_requested limit $2)
           union all
           (select command_id from commands
            where account_id = $1 and dispatched_at is not null and finished_at is null
              and not cancel_requested limit $2)
           limit $2
         ), locked as (
           select c.command_id from commands c join unfinished using (command_id)
           where c.finished_at is null order by c.command_id for no key update of c
         )
         update commands c set webhook_url = null from locked
         where c.command_id = locked.command_id returning c.command_id as "commandId"`,
        [accountId, limit],
      )
      return rows.map(({ commandId }) => commandId)
    },

    /** Locks nothing. */
    async findUndeletedFiles(accountId, limit) {
      const rows = await query<{ fileId: string }>(
        'deletion_files',
        `select file_id as "fileId" from files where account_id = $1 and deleted_at is null limit $2`,
        [accountId, limit],
      )
      return rows.map(({ fileId }) => fileId)
    },

    /** Locks the files, which no other transaction changes any more. */
    removeSweptFiles(accountId, limit) {
      return database.transaction(async (within) => {
        const removed = await within(
          'deletion_remove_files',
          `delete from files where file_id in (
             select file_id from files
             where account_id = $1 and deleted_at is not null and store_type = 'STORED_FILE'
               and swept_at is not null
             limit $2 for update
           ) returning file_id`,
          [accountId, limit],
        )
        await countDeletedRows(within, accountId, removed.length)
        return removed.length
      })
    },

    /** Locks the rows it deletes. A sender that has claimed a delivery finds it gone and goes on. */
    removeAccountEvents(accountId, limit) {
      return database.transaction(async (within) => {
        const removed = await within(
          'deletion_remove_events',
          `with deliveries as (
             delete from webhook_deliveries where delivery_id in (
               select delivery_id from webhook_deliveries where account_id = $1 limit $2 for update
             ) returning delivery_id
           ), receivers as (
             delete from webhook_receivers where account_id = $1 and receiver in (
               select receiver from webhook_receivers where account_id = $1 limit $2 for update
             ) returning receiver
           ), answers as (
             delete from idempotency_keys where account_id = $1 and key in (
               select key from idempotency_keys where account_id = $1 limit $2 for update
             ) returning key
           )
           select from deliveries union all select from receivers union all select from answers`,
          [accountId, limit],
        )
        await countDeletedRows(within, accountId, removed.length)
        return removed.length
      })
    },

    /**
     * Locks nothing. Each part has the condition of an index, or it would read the whole table.
     * Commands come first: their outputs go with them.
     */
    async isAccountEmpty(accountId) {
      const [row] = await query<{ empty: boolean }>(
        'deletion_empty',
        `select not exists (
             select from commands where account_id = $1 and command_type <> 'STORED_FILE'
           ) and not exists (
             select from commands where account_id = $1 and command_type = 'STORED_FILE'
               and finished_at is not null
           ) and not exists (
             select from commands where account_id = $1 and dispatched_at is null
               and finished_at is null
           ) and not exists (
             select from commands where account_id = $1 and dispatched_at is not null
               and finished_at is null
           ) and not exists (
             select from files where account_id = $1 and deleted_at is null
           ) and not exists (
             select from files where account_id = $1 and deleted_at is not null
               and store_type = 'STORED_FILE'
           ) as empty`,
        [accountId],
      )
      return row?.empty === true
    },

    /**
     * Locks the account's row against everything that refers to it, so nothing new appears; a table that
     * is not in this list and refers to the account makes the deletion fail, and it stays under way.
     *
     * The foreign keys of commands and files have no index without a condition, so PostgreSQL reads both
     * tables once for the row of the account, which takes longer than other statements may.
     */
    finishAccountDeletion(accountId, objects) {
      return database.transaction(async (within) => {
        const [account] = await within(
          'deletion_lock_all',
          'select from accounts where account_id = $1 and deleting_at is not null for update',
          [accountId],
        )
        if (account === undefined) return
        for (const table of ownTables) {
          await within(`deletion_${table}`, `delete from ${table} where account_id = $1`, [
            accountId,
          ])
        }
        await within(
          'deletion_done',
          `update deleted_accounts set done_at = now(), objects = objects + $2 where account_id = $1`,
          [accountId, objects],
        )
      }, whileTablesAreRead)
    },
  }
}

/** Statements that begin the deletion, in their order. */
const beginnings = {
  deletion_lock: 'select from accounts where account_id = $1 for no key update',
  // While the address is still known. The tokens go with the registration.
  deletion_registrations: `delete from registrations r
    where r.email = (select email from accounts where account_id = $1)
      or r.key_id in (select key_id from api_keys where account_id = $1)`,
  deletion_begin: `update accounts
    set deleting_at = coalesce(deleting_at, now()), suspended = true, email = null
    where account_id = $1`,
  deletion_keys: `update api_keys set disabled = true, revoked_at = coalesce(revoked_at, now())
    where account_id = $1`,
  // The remaining files of lost playlists do not wait for a later restore.
  deletion_lost_files: `update files set sweep_retry_at = null
    where account_id = $1 and deleted_at is not null and swept_at is null and lost_at is not null`,
  deletion_webhook: 'update webhooks set url = null where account_id = $1',
  deletion_report: 'insert into deleted_accounts (account_id) values ($1) on conflict do nothing',
} as const

/** An index on the account alone would cost each submission, and mislead the plans of other statements. */
const whileTablesAreRead = { statementMs: 30 * 60_000 }

/** Tables with few rows of an account, in the order in which references allow; the account is last. */
const ownTables = [
  'webhook_secrets',
  'webhooks',
  'rate_buckets',
  'usage_changes',
  'usage_totals',
  'reservation_changes',
  'reservations',
  'usage_ends',
  'usage_hours',
  'orphans',
  'account_shares',
  'retention_walks',
  'api_keys',
  'accounts',
] as const
