import type { NewCommand } from '../../store/commands.ts'
import {
  insertedColumns,
  insertedValues,
  submitted,
  submittedValues,
} from '../commands/insert-commands.ts'
import { storableText } from '../storable-text.ts'
import type { Query } from '../query.ts'

/**
 * A command that exists as custom resource first. The primary key decides between two that import
 * it; the second waits for the first one's commit. `refusal` makes a row that is final at once.
 */
export async function importCommand(
  query: Query,
  command: NewCommand & { resourceUid: string },
  refusal: string | null,
): Promise<'inserted' | 'exists'> {
  const values = submittedValues([command], refusal === null ? 'QUEUED' : 'SKIPPED')
  const inserted = await query(
    'import_command',
    `insert into commands (
       ${insertedColumns}, dispatched_at, resource_uid, unmirrored_since,
       status, error_status, error_message, finished_at, released_at, processing_bytes
     )
     select ${insertedValues}, now(), $14, now(),
       case when $15::text is null then 'QUEUED' else 'FAILED' end,
       case when $15 is not null then 'INVALID_COMMAND' end, $15,
       case when $15 is not null then now() end, case when $15 is not null then now() end,
       case when $15 is not null then 0 end
     from ${submitted}
     on conflict (command_id) do nothing
     returning command_id`,
    [...values, command.resourceUid, refusal === null ? null : storableText(refusal)],
  )
  return inserted.length > 0 ? 'inserted' : 'exists'
}
