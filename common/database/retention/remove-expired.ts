import { removable } from './removable.ts'
import { countDeletedRows } from './deleted-rows.ts'
import type { Database, Query } from '../connection/query.ts'
import type { ExpiredPage, ExpiredQuery, RetentionKind } from '../../store/retention/retention.ts'

/**
 * The rows and the position of the walk are one transaction. Locks the rows by ascending id, as all
 * that locks several commands does.
 */
export function removeExpired(
  database: Database,
  { accountId, kind }: Pick<ExpiredQuery, 'accountId' | 'kind'>,
  page: ExpiredPage,
): Promise<number> {
  return database.transaction(async (query) => {
    const removed = page.ids.length === 0 ? 0 : await removals[kind](query, accountId, page.ids)
    await query(
      'retention_move',
      `update retention_walks set created_at = $3::timestamptz, id = $4::uuid,
         ended_at = case when $5 then now() end
       where account_id = $1 and kind = $2`,
      [accountId, kind, page.position.createdAt, page.position.id, page.isLast],
    )
    return removed
  })
}

type Removal = (query: Query, accountId: string, ids: readonly string[]) => Promise<number>

const removals: Readonly<Record<RetentionKind, Removal>> = {
  async logs(query, accountId, ids) {
    const removed = await query(
      'retention_remove_logs',
      `delete from command_log_objects where command_id in (
         select c.command_id from commands c
         where c.command_id = any($2::uuid[]) and c.account_id = $1 and ${removable.logs}
       ) returning command_id`,
      [accountId, ids],
    )
    return removed.length
  },

  /**
   * The source stays as an object without commands, because the release before reads it. A cache
   * of the record notices the change by its version.
   */
  async originals(query, accountId, ids) {
    const emptied = await query(
      'retention_remove_originals',
      `with locked as (
         select c.command_id from commands c
         where c.command_id = any($2::uuid[]) and c.account_id = $1 and ${removable.originals}
         order by c.command_id for no key update
       )
       update commands c set original_request = null, webhook_url = null, version = version + 1,
         source = '{"commands":[],"inputFiles":null,"inputCompressedFolder":null,"outputFiles":null}'
       from locked where c.command_id = locked.command_id returning c.command_id`,
      [accountId, ids],
    )
    return emptied.length
  },

  async 'file-originals'(query, accountId, ids) {
    const emptied = await query(
      'retention_remove_file_originals',
      `with locked as (
         select f.file_id from files f
         where f.file_id = any($2::uuid[]) and f.account_id = $1 and ${removable.fileOriginals}
         order by f.file_id for no key update
       )
       update files f set original_file_url = null, webhook_url = null
       from locked where f.file_id = locked.file_id returning f.file_id`,
      [accountId, ids],
    )
    return emptied.length
  },

  records: (query, accountId, ids) => removeCommands(query, accountId, ids, 'records'),
}

/** Deletes commands with their attempts, uploads, logs and deleted outputs. */
export async function removeCommands(
  query: Query,
  accountId: string,
  ids: readonly string[],
  kind: 'records' | 'work',
): Promise<number> {
  const locked = await query<{ commandId: string }>(
    `retention_lock_${kind}`,
    `select c.command_id as "commandId" from commands c
     where c.command_id = any($2::uuid[]) and c.account_id = $1 and ${removable[kind]}
     order by c.command_id for update`,
    [accountId, ids],
  )
  const chosen = locked.map(({ commandId }) => commandId)
  if (chosen.length === 0) return 0
  const files = await query(
    'retention_remove_outputs',
    'delete from files where command_id = any($1::uuid[]) returning file_id',
    [chosen],
  )
  await query(
    'retention_remove_commands',
    'delete from commands where command_id = any($1::uuid[])',
    [chosen],
  )
  await countDeletedRows(query, accountId, chosen.length + files.length)
  return chosen.length
}
