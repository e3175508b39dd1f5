import { countDeletedRows } from './deleted-rows.ts'
import { findExpired } from './find-expired.ts'
import { removable } from './removable.ts'
import { removeCommands, removeExpired } from './remove-expired.ts'
import type { DueAccount, RetentionStore } from '../../store/retention/retention.ts'
import type { Database } from '../connection/query.ts'

/** Rows past their retention. Each method takes one page of one account. */
export function retention(database: Database): RetentionStore {
  const { query } = database
  return {
    /** Locks nothing; reads the index of the next visits from its beginning. */
    findDueAccounts(limit) {
      return query<DueAccount>(
        'retention_due',
        `select account_id as "accountId", plan,
           coalesce(extract(epoch from now() - retention_at), 0)::double precision as "overdueSeconds"
         from accounts
         where (retention_at is null or retention_at <= now()) and deleting_at is null
         order by retention_at nulls first limit $1`,
        [limit],
      )
    },

    /** Locks one account's row, for which it may wait briefly during an admission of the account. */
    async endRetentionVisit(accountId) {
      await query(
        'retention_done',
        `update accounts set retention_at = now() + interval '1 day' where account_id = $1`,
        [accountId],
      )
    },

    /** Locks one account's row. */
    async postponeRetention(accountId, seconds) {
      await query(
        'retention_postpone',
        `update accounts set retention_at = now() + make_interval(secs => $2) where account_id = $1`,
        [accountId, seconds],
      )
    },

    findExpired: (expired) => findExpired(database, expired),
    removeExpired: (of, page) => removeExpired(database, of, page),

    /** Locks nothing; reads the primary key. */
    findAttempts(commandIds) {
      return query<{ commandId: string; attempt: string }>(
        'retention_attempts',
        `select command_id as "commandId", attempt from attempts where command_id = any ($1::uuid[])`,
        [commandIds],
      )
    },

    /** Locks nothing. */
    async findFileWork({ accountId, olderThanSeconds, limit }) {
      const rows = await query<{ commandId: string }>(
        'retention_find_work',
        `select c.command_id as "commandId" from commands c
         where c.account_id = $1 and c.finished_at <= now() - make_interval(secs => $2)
           and (c.dispatched_at is null or c.resource_deleted_at <= now() - make_interval(secs => $2))
           and ${removable.work}
         order by c.finished_at limit $3`,
        [accountId, olderThanSeconds, limit],
      )
      return rows.map(({ commandId }) => commandId)
    },

    /** Locks the rows by ascending id. They are in no list. */
    removeFileWork(accountId, commandIds) {
      return database.transaction((within) => removeCommands(within, accountId, commandIds, 'work'))
    },

    /** Locks the files by ascending id and skips those that another transaction has locked. */
    async removeFileRecords({ accountId, days, limit }) {
      return database.transaction(async (within) => {
        const removed = await within(
          'retention_remove_files',
          `with due as materialized (
             (select file_id from files
              where account_id = $1 and deleted_at is not null and store_type = 'STORED_FILE'
                and swept_at < now() - interval '30 days'
              order by swept_at limit $3)
             union all
             (select file_id from files
              where account_id = $1 and status = 'FAILED' and deleted_at is null
                and store_type = 'STORED_FILE' and swept_at is not null
                and created_at < now() - make_interval(days => $2)
              order by created_at, file_id limit $3)
             limit $3
           ), locked as (
             select f.file_id from files f join due using (file_id) order by f.file_id
             for update of f skip locked
           )
           delete from files f using locked where f.file_id = locked.file_id returning f.file_id`,
          [accountId, days, limit],
        )
        await countDeletedRows(within, accountId, removed.length)
        return removed.length
      })
    },

    /** Locks the rows it deletes. Invoices are made from the months; a year later they are compared. */
    async removeOldUsage(accountId) {
      await query(
        'retention_remove_usage',
        `delete from usage_totals
         where account_id = $1 and month < date_trunc('month', now() - interval '13 months')`,
        [accountId],
      )
      await query(
        'retention_remove_usage_hours',
        `delete from usage_hours where account_id = $1 and hour < now() - interval '400 days'`,
        [accountId],
      )
    },
  }
}
