import type { NewCommand } from '../store.ts'
import { commandColumns } from './insert-commands.ts'
import type { Query } from './query.ts'

/**
 * A command that exists as custom resource first. The primary key decides between two that import
 * it; the second waits for the first one's commit. `refusal` makes a row that is final at once.
 */
export async function importCommand(
  query: Query,
  command: NewCommand & { resourceUid: string },
  refusal: string | null,
): Promise<'inserted' | 'exists'> {
  const inserted = await query(
    'import_command',
    `insert into commands (
       command_id, account_id, environment_name, command_type, source, original_request, metadata,
       vcpu_count, max_run_seconds, is_private, steps, dispatched_at, resource_uid,
       unmirrored_since, status, error_status, error_message, finished_at, released_at,
       processing_bytes
     )
     select command_id, account_id, environment_name, command_type, source, original_request,
       metadata, vcpu_count, max_run_seconds, is_private,
       case when $3::text is null then steps else (
         select jsonb_agg(step || '{"status": "SKIPPED"}' order by step -> 'index')
         from jsonb_array_elements(steps) step
       ) end,
       now(), $2, now(),
       case when $3 is null then 'QUEUED' else 'FAILED' end,
       case when $3 is not null then 'INVALID_COMMAND' end, $3,
       case when $3 is not null then now() end, case when $3 is not null then now() end,
       case when $3 is not null then 0 end
     from json_to_record($1) as r (
       command_id uuid, account_id uuid, environment_name text, command_type text, source json,
       original_request json, metadata json, vcpu_count integer, max_run_seconds double precision,
       is_private boolean, steps jsonb
     )
     on conflict (command_id) do nothing
     returning command_id`,
    [JSON.stringify(commandColumns(command)), command.resourceUid, refusal],
  )
  return inserted.length > 0 ? 'inserted' : 'exists'
}
