import type { LogChunk } from '../../gateway/messages.ts'
import { storableText } from '../connection/values.ts'
import type { Query } from '../connection/query.ts'

/** Maximum log size of a step: half of it from the beginning and half from the end. */
export const logBytesPerStep = 1024 * 1024

/** The chunks of a report, from the JSON of `logParameter`. */
export function logRows(parameter: string): string {
  return `jsonb_to_recordset(${parameter}) as r (step integer, sequence integer, text text)`
}

export function logParameter(logs: readonly LogChunk[]): string {
  return JSON.stringify(logs.map((chunk) => ({ ...chunk, text: storableText(chunk.text) })))
}

/**
 * Locks the rows it cuts. Removes the middle of a step's log when it exceeds 1 MiB: the beginning
 * names the inputs, the end names the error. The first chunk alone has at most 262,144 characters,
 * so a short command with one chunk skips this statement.
 * @param report the report that has just been stored
 * @param relaxed the commit need not be flushed; never inside a transaction with other changes
 */
export async function cutLogs(
  query: Query,
  report: { commandId: string; attempt: string; logs: readonly LogChunk[] },
  relaxed = false,
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
       and s.total > $3::bigint and s.from_start > $3 / 2 and s.from_end > $3 / 2
     returning case when $4::boolean then set_config('synchronous_commit', 'off', true) end`,
    [report.commandId, report.attempt, logBytesPerStep, relaxed],
  )
}
