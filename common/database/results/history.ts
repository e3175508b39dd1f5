import pg from 'pg'
import { DatabaseUnavailable } from '../../store/health.ts'
import type { DatabaseHistory, ResultStore } from '../../store/attempts.ts'
import type { Database, Query } from '../connection/query.ts'

/** The server's present history, and the one under which custom resources were last compared. */
export function history({ query }: Database): Pick<ResultStore, 'readHistory' | 'recordCompared'> {
  return {
    /** Locks nothing. */
    async readHistory() {
      try {
        return await readBy(query, 'read_history', withTimeline)
      } catch (error) {
        // A provider may have revoked the function; the start of the server is readable by all roles.
        if (!isForbidden(error)) throw error
        return readBy(query, 'read_history_by_start', withoutTimeline)
      }
    },

    /** Locks the one row. */
    async recordCompared(compared) {
      await query(
        'record_compared',
        `insert into database_history as h (compared) values ($1)
         on conflict (singleton) do update set compared = excluded.compared, compared_at = now()
         where h.compared <> excluded.compared`,
        [compared],
      )
    },
  }
}

/**
 * A promotion begins a timeline. A restored copy of the files, or a crash with commits that were not
 * flushed, keeps the timeline, but needs a start of the server. On a standby `current` is null: the
 * WAL position is an error there.
 */
const withTimeline = `
  select pg_is_in_recovery() as standby,
    case when pg_is_in_recovery() then '' else
      substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
    end || '/' || extract(epoch from pg_postmaster_start_time()) as current,
    (select compared from database_history) as compared
  where $1::boolean`

const withoutTimeline = `
  select pg_is_in_recovery() as standby,
    '/' || extract(epoch from pg_postmaster_start_time()) as current,
    (select compared from database_history) as compared
  where $1::boolean`

async function readBy(query: Query, name: string, text: string): Promise<DatabaseHistory> {
  const [row] = await query<DatabaseHistory & { standby: boolean }>(name, text, [true])
  if (row === undefined) throw new Error('a statement without FROM returned no row')
  if (row.standby) throw new DatabaseUnavailable(new Error('the database is a standby'))
  return { current: row.current, compared: row.compared }
}

function isForbidden(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42501'
}
