import { removable } from './removable.ts'
import type { Database, Query } from '../connection/query.ts'
import type {
  ExpiredPage,
  ExpiredQuery,
  ListPosition,
  RetentionKind,
} from '../../store/retention/retention.ts'

/** One page of a walk over a list, from its old end. */
export function findExpired(database: Database, expired: ExpiredQuery): Promise<ExpiredPage> {
  return database.transaction(async (query) => {
    const from = await positionOf(query, expired)
    const { statement, name } = expiredPages[expired.kind]
    const [row] = await query<PageRow>(name, statement, [
      expired.accountId,
      from.createdAt,
      from.id,
      expired.days,
      expired.limit,
    ])
    if (row === undefined) throw new Error('the query returned no row')
    const { ids, read, createdAt, id } = row
    const position = createdAt === null || id === null ? from : { createdAt, id }
    return { ids, read, position, isLast: read < expired.limit }
  })
}

interface PageRow {
  readonly ids: string[]
  readonly read: number
  readonly createdAt: string | null
  readonly id: string | null
}

/** Locks the walk until the transaction ends, so that two leaders take turns. */
async function positionOf(
  query: Query,
  { accountId, kind, restartAfterSeconds }: ExpiredQuery,
): Promise<ListPosition> {
  const [walk] = await query<ListPosition>(
    'retention_position',
    `insert into retention_walks as w (account_id, kind) values ($1, $2)
     on conflict (account_id, kind) do update set
       created_at = case when ${isRestarted} then '-infinity' else w.created_at end,
       id = case when ${isRestarted} then excluded.id else w.id end,
       began_at = case when ${isRestarted} then now() else w.began_at end,
       ended_at = case when ${isRestarted} then null else w.ended_at end
     returning created_at::text as "createdAt", id`,
    [accountId, kind, restartAfterSeconds],
  )
  if (walk === undefined) throw new Error('the upsert returned no row')
  return walk
}

const isRestarted = `w.ended_at is not null
  and w.began_at <= now() - make_interval(secs => $3::double precision)`

/** At most $5 of the rows behind ($2, $3) that are at least $4 days old. */
function page(
  table: 'commands c' | 'files f',
  id: 'command_id' | 'file_id',
  listed: string,
  condition: string,
): string {
  const [, alias] = table.split(' ')
  return `with page as materialized (
      select ${id} as id, created_at from ${table}
      where account_id = $1 and ${listed}
        and (created_at, ${id}) > ($2::timestamptz, $3::uuid)
        and created_at < now() - make_interval(days => $4)
      order by created_at, ${id} limit $5
    ), last as (select created_at, id from page order by created_at desc, id desc limit 1)
    select coalesce((
        select array_agg(${alias}.${id}) from ${table}
        -- An array, because a join with the page may read the whole table.
        where ${alias}.${id} = any(array(select id from page)) and ${condition}
      ), '{}') as ids,
      (select count(*)::integer from page) as read,
      (select created_at::text from last) as "createdAt", (select id from last) as id`
}

/** The text of a partial index's condition. */
const ofCommands = `command_type <> 'STORED_FILE'`
/** Parameters: account, position, days, limit. */
export const expiredPages: Readonly<Record<RetentionKind, { name: string; statement: string }>> = {
  logs: {
    name: 'retention_find_logs',
    statement: page('commands c', 'command_id', ofCommands, removable.logs),
  },
  originals: {
    name: 'retention_find_originals',
    statement: page('commands c', 'command_id', ofCommands, removable.originals),
  },
  'file-originals': {
    name: 'retention_find_file_originals',
    statement: page('files f', 'file_id', 'deleted_at is null', removable.fileOriginals),
  },
  records: {
    name: 'retention_find_records',
    statement: page('commands c', 'command_id', ofCommands, removable.records),
  },
}
