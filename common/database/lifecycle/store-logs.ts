import type { LogChunk } from '../../gateway/messages.ts'
import { logRowsPerStep, logTextPerStep } from '../../store/logs.ts'
import { storableText } from '../connection/values.ts'
import type { Query } from '../connection/query.ts'

/** Maximum log size of a step: half of it from the beginning and half from the end. */
export const logBytesPerStep = 1024 * 1024

/** The chunks of a report, from the JSON of `logParameter`. */
export function logRows(parameter: string): string {
  return `jsonb_to_recordset(${parameter}) as r (step integer, sequence integer, text text)`
}

/**
 * The same for a report of progress: as many chunks of each step as its log has room for. Others are
 * dropped without an error, because a runner would repeat them. Reads the rows of each step that the
 * report names once, which is why the count is materialized.
 */
export function logRowsWithRoom(parameter: string): string {
  return `(
    with now as materialized (
      select s.step, l.rows, l.bytes
      from (select distinct step from ${logRows(parameter)}) s cross join lateral (
        select count(*) as rows, coalesce(sum(bytes + cut_bytes), 0) as bytes
        from command_logs where command_id = $1 and attempt = $2 and step = s.step
      ) l
    )
    select r.step, r.sequence, r.text from (
      select step, sequence, text,
        count(*) over upto as rows, sum(octet_length(text)) over upto as bytes
      from ${logRows(parameter)}
      window upto as (partition by step order by sequence rows unbounded preceding)
    ) r join now on now.step = r.step
      and now.rows + r.rows <= ${logRowsPerStep} and now.bytes + r.bytes <= ${logTextPerStep}
  ) room`
}

export function logParameter(logs: readonly LogChunk[]): string {
  return JSON.stringify(logs.map((chunk) => ({ ...chunk, text: storableText(chunk.text) })))
}

/**
 * Locks the rows it cuts. Removes the middle of a step's log when it exceeds 1 MiB: the beginning
 * names the inputs, the end names the error. The first chunk alone has at most 262,144 characters,
 * so a short command with one chunk skips this statement. The sums are materialized: in a join they
 * are computed again for each of up to 4,096 rows.
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
    `with sized as materialized (
       select step, sequence, cut_bytes,
         sum(bytes) over (partition by step) as total,
         sum(bytes) over (partition by step order by sequence) as from_start,
         sum(bytes) over (partition by step order by sequence desc) as from_end
       from command_logs where command_id = $1 and attempt = $2
     ), middle as materialized (
       select step, sequence from sized
       where cut_bytes = 0
         and total > $3::bigint and from_start > $3 / 2 and from_end > $3 / 2
     )
     update command_logs l set text = '', cut_bytes = l.bytes
     from middle m
     where l.command_id = $1 and l.attempt = $2 and l.step = m.step and l.sequence = m.sequence
     returning case when $4::boolean then set_config('synchronous_commit', 'off', true) end`,
    [report.commandId, report.attempt, logBytesPerStep, relaxed],
  )
}
