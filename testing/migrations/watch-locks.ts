import pg from 'pg'

export interface LockWatch {
  /** @returns the longest time in ms for which a strong lock was held or waited for */
  stop(): Promise<{ longestMs: number; looks: number; locks: readonly string[] }>
}

/**
 * Looks all the time at the locks of a migration on tables that were there before, in modes that hold
 * up readers or writers. SHARE UPDATE EXCLUSIVE, which CREATE INDEX CONCURRENTLY holds throughout, holds
 * up neither.
 */
export async function watchLocks(url: string, applicationName: string): Promise<LockWatch> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ oid: number }>(
    `select oid::integer as oid from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname not in ('schema_levels', 'schema_steps', 'program_seen')`,
  )
  const tables = rows.map(({ oid }) => oid)
  const locks = new Set<string>()
  let [longestMs, looks, stopped] = [0, 0, false]

  async function look(): Promise<void> {
    while (!stopped) {
      const found = await client.query<{ lock: string; ms: number }>(
        `select l.relation::regclass || ' ' || l.mode as lock,
           extract(epoch from clock_timestamp() - a.xact_start)::double precision * 1000 as ms
         from pg_locks l join pg_stat_activity a using (pid)
         where a.application_name = $1 and l.locktype = 'relation' and l.relation = any ($2)
           and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`,
        [applicationName, tables],
      )
      looks += 1
      for (const { lock, ms } of found.rows) {
        locks.add(lock)
        longestMs = Math.max(longestMs, ms)
      }
    }
  }

  const looking = look()
  return {
    async stop() {
      stopped = true
      await looking
      await client.end()
      return { longestMs, looks, locks: [...locks] }
    },
  }
}
