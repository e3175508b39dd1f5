import type { Database, Query } from '../../common/database/connection/query.ts'

/** Work of a transaction that held up readers or writers of tables which were there before. */
export interface LockedWork {
  /** Table and mode, such as `commands AccessExclusiveLock`. */
  readonly locks: readonly string[]
  /** Rows of these tables that it read or changed: a lock for the time of an index or a scan has all of them. */
  readonly rows: number
}

/**
 * The database of a migration whose transactions say at their end which strong locks they hold, and how much they did.
 * SHARE UPDATE EXCLUSIVE, which CREATE INDEX CONCURRENTLY holds throughout, holds up neither readers nor writers.
 */
export async function watchLocks(
  database: Database,
): Promise<{ readonly watched: Database; readonly held: readonly LockedWork[] }> {
  const tables = await database.query<{ oid: number }>(
    'tables',
    `select oid::integer as oid from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname not in ('schema_levels', 'schema_steps', 'program_seen')`,
  )
  // Without parameters: their portal would stay open, and an index would wait for its snapshot.
  const among = `in (${tables.map(({ oid }) => oid).join()})`
  const lockSql = `
    select relation::integer as oid, relation::regclass || ' ' || mode as lock from pg_locks
    where pid = pg_backend_pid() and relation ${among}
      and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`
  const rowSql = `
    select relid::integer as oid,
      seq_tup_read + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del as rows
    from pg_stat_xact_user_tables where relid ${among}`
  /** Rows by table, also of earlier transactions of the session that PostgreSQL has not added up yet. */
  const rowsBy = async (query: Query) => {
    const found = await query<{ oid: number; rows: number }>('locked_rows', rowSql)
    return new Map(found.map(({ oid, rows }) => [oid, rows]))
  }
  const held: LockedWork[] = []
  const transaction: Database['transaction'] = (work, limits) =>
    database.transaction(async (query) => {
      const before = await rowsBy(query)
      const result = await work(query)
      const locks = await query<{ oid: number; lock: string }>('locks', lockSql)
      const after = await rowsBy(query)
      const oids = [...new Set(locks.map(({ oid }) => oid))]
      const rows = oids.map((oid) => (after.get(oid) ?? 0) - (before.get(oid) ?? 0))
      if (locks.length > 0) {
        held.push({
          locks: locks.map(({ lock }) => lock),
          rows: rows.reduce((sum, own) => sum + own, 0),
        })
      }
      return result
    }, limits)
  const query: Query = (name, text, values) =>
    /\bconcurrently\b/i.test(text)
      ? database.query(name, text, values)
      : transaction((inside) => inside(name, text, values))
  return { watched: { ...database, transaction, query }, held }
}
