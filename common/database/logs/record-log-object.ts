import type { LogObject } from '../../store/logs.ts'
import type { Query } from '../query.ts'

/** One statement, so that a reader finds the rows or the object and never neither. Locks the rows. */
export async function recordLogObject(
  query: Query,
  commandId: string,
  { key, stepBytes }: LogObject,
): Promise<void> {
  await query(
    'record_log_object',
    `with recorded as (
       insert into command_log_objects (command_id, key, step_bytes) values ($1, $2, $3)
       on conflict (command_id) do nothing
     )
     delete from command_logs where command_id = $1`,
    [commandId, key, stepBytes],
  )
}
