import type { LogChunk } from '../../gateway/messages.ts'
import { storableText } from '../connection/values.ts'
import type { Query } from '../connection/query.ts'

/** Kept of a step's messages: the first half and the last half of this. */
export const logBytesPerStep = 1024 * 1024

/** The chunks of a report, from the JSON of `logParameter`. */
export function logRows(parameter: string): string {
  return `jsonb_to_recordset(${parameter}) as r (step integer, sequence integer, text text)`
}

export function logParameter(logs: readonly LogChunk[]): string {
  return JSON.stringify(logs.map((chunk) => ({ ...chunk, text: storableText(chunk.text) })))
}

/**
 * Locks the rows it cuts. The middle of a step's messages goes when they pass 1 MiB: the beginning
 * names the inputs, the end the error. The first chunk alone cannot be more, 262,144 characters, and
 * a short command has no other: its end does not wait for this.
 * @param report what has just been stored
 */
export async function cutLogs(
  query: Query,
  report: { commandId: string; attempt: string; logs: readonly LogChunk[] },
): Promise<void> {
  if (report.logs.every(({ sequence }) => sequence === 0)) return
  await query(
    'cut_logs',
    `update command_logs l set text = '', cut_bytes = l.bytes
     from (
       select step, sequence,
         sum(bytes) over (partition by step) as total,
         sum(bytes) over (partition by step order by sequence) as from_start,
         sum(bytes) over (partition by step order by sequence desc) as from_end
       from command_logs where command_id = $1 and attempt = $2
     ) s
     where l.command_id = $1 and l.attempt = $2 and l.step = s.step and l.sequence = s.sequence
       and l.cut_bytes = 0
       and s.total > $3::bigint and s.from_start > $3 / 2 and s.from_end > $3 / 2`,
    [report.commandId, report.attempt, logBytesPerStep],
  )
}
