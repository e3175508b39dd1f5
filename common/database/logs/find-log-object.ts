import type { LogObject } from '../../store/logs.ts'
import type { Query } from '../query.ts'

/** Locks nothing. */
export async function findLogObject(query: Query, commandId: string): Promise<LogObject | null> {
  const [row] = await query<LogObject>(
    'find_log_object',
    `select key, step_bytes as "stepBytes" from command_log_objects where command_id = $1`,
    [commandId],
  )
  return row ?? null
}
