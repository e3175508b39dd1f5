import type { LogPosition, StoredChunk, StoredLogs } from '../../store/logs.ts'
import type { Query } from '../query.ts'

/** Locks nothing. An attempt that has not written anything yet does not hide the one before it. */
export async function readLogs(
  query: Query,
  commandId: string,
  after: LogPosition | null,
): Promise<StoredLogs> {
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
    chunks: rows.map(({ step, sequence, text, cutBytes }) => ({ step, sequence, text, cutBytes })),
  }
}
