import type { LogObject, LogReadingStore, LogStore, StoredChunk } from '../../store/logs.ts'
import type { Database } from '../connection/query.ts'

/** Log chunks of FFmpeg, and the object that holds them later. */
export function logs({ query }: Database): LogStore & LogReadingStore {
  return {
    /** Locks nothing. An attempt that has not written anything yet does not hide the one before it. */
    async readLogs(commandId, after) {
      const rows = await query<StoredChunk & { attempt: string }>(
        'read_logs',
        `select l.attempt, l.step, l.sequence, l.text, l.cut_bytes as "cutBytes"
         from command_logs l
         where l.command_id = $1 and l.attempt = (
           select a.attempt from attempts a
           where a.command_id = $1 and exists (
             select from command_logs written
             where written.command_id = $1 and written.attempt = a.attempt
           )
           order by a.claimed_at desc, a.round desc, a.attempt limit 1
         ) and (l.attempt is distinct from $2 or l.sequence > $3)
         order by l.step, l.sequence`,
        [commandId, after?.attempt ?? null, after?.sequence ?? -1],
      )
      return {
        attempt: rows[0]?.attempt ?? null,
        chunks: rows.map(({ step, sequence, text, cutBytes }) => ({
          step,
          sequence,
          text,
          cutBytes,
        })),
      }
    },

    /**
     * Locks nothing. A loose index scan of the primary key from command to command: few commands have
     * rows, but each has many.
     */
    findLogsToStore(find) {
      return query(
        'find_logs_to_store',
        `with recursive written as (
           (select command_id from command_logs order by command_id limit 1)
           union all
           select (
             select l.command_id from command_logs l
             where l.command_id > written.command_id order by l.command_id limit 1
           )
           from written where written.command_id is not null
         )
         select c.command_id as "commandId", c.account_id as "accountId"
         from written join commands c using (command_id)
         where c.finished_at <= now() - make_interval(secs => $1)
           and c.command_id <> all($3::uuid[])
         order by c.finished_at, c.command_id limit $2`,
        [find.olderThanSeconds, find.limit, find.except],
      )
    },

    /** One statement, so that a reader always finds either the rows or the object. Locks the rows. */
    async recordLogObject(commandId, { key, stepBytes }) {
      await query(
        'record_log_object',
        `with recorded as (
           insert into command_log_objects (command_id, key, step_bytes) values ($1, $2, $3)
           on conflict (command_id) do nothing
         )
         delete from command_logs where command_id = $1`,
        [commandId, key, stepBytes],
      )
    },

    /** Locks nothing. */
    async findLogObject(commandId) {
      const [row] = await query<LogObject>(
        'find_log_object',
        `select key, step_bytes as "stepBytes" from command_log_objects where command_id = $1`,
        [commandId],
      )
      return row ?? null
    },
  }
}
