import type { CommandStatus } from '../../states.ts'
import type { CommandRecord } from '../../store/commands.ts'
import { lifecycleColumns, queuePosition, submissionColumns } from './command-columns.ts'
import { resultColumns, withFiles } from './find-command.ts'
import type { CommandRow } from './find-command.ts'
import type { Query } from '../query.ts'

/** Locks nothing; newest first by the index of the account. */
export async function listCommands(
  query: Query,
  list: { accountId: string; status: CommandStatus | null; limit: number; offset: number },
): Promise<CommandRecord[]> {
  const rows = await query<CommandRow>(
    'list_commands',
    // The page is cut before queue positions are counted, so rows skipped by the offset cost none.
    `select ${submissionColumns}, ${lifecycleColumns}, ${queuePosition}, ${resultColumns}
     from (
       select * from commands
       where account_id = $1 and ($2::text is null or status = $2)
       order by created_at desc, command_id desc limit $3 offset $4
     ) c
     order by c.created_at desc, c.command_id desc`,
    [list.accountId, list.status, list.limit, list.offset],
  )
  return withFiles(query, rows)
}
