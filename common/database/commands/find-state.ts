import type { CommandState } from '../../store/command-states.ts'
import type { Query } from '../query.ts'

export const stateColumns = `
  c.command_id as "commandId", c.version, c.status, c.stage,
  c.progress_percent as "progressPercent", c.attempts, c.error_status as "errorStatus",
  jsonb_array_length(c.steps) as "stepCount", now() as "readAt"`

/** Locks nothing. */
export async function findState(
  query: Query,
  accountId: string,
  commandId: string,
): Promise<CommandState | null> {
  const [row] = await query<CommandState>(
    'find_state',
    `select ${stateColumns} from commands c
     where c.command_id = $2 and c.account_id = $1 and c.command_type <> 'STORED_FILE'`,
    [accountId, commandId],
  )
  return row ?? null
}
