import {
  insertedColumns,
  insertedValues,
  submitted,
  submittedValues,
} from '../commands/insert-commands.ts'
import { storableText } from '../connection/values.ts'
import { insertWork } from '../files/insert-file-work.ts'
import type { ImportedFile, ImportedRow } from '../../store/reconcile.ts'
import type { Database, Query } from '../connection/query.ts'

/** A row that the database has lost gets the time of its submission again. */
const createdAt = 'coalesce($20::timestamptz, now())'

/**
 * Inserts a command that was created as a custom resource. The primary key lets one of two
 * concurrent imports win; the second waits for the commit of the first. `refusal` makes a row that is
 * final at once.
 */
export async function importCommand(
  query: Query,
  command: ImportedRow,
  { refusal, priorityAgeSeconds }: { refusal: string | null; priorityAgeSeconds: number },
): Promise<'inserted' | 'exists'> {
  const stepStatus = refusal === null ? 'QUEUED' : 'SKIPPED'
  const values = submittedValues([command], { priorityAgeSeconds, stepStatus })
  const inserted = await query(
    'import_command',
    `insert into commands (
       ${insertedColumns}, created_at, dispatched_at, resource_uid, unmirrored_since,
       status, error_status, error_message, finished_at, released_at, processing_bytes
     )
     select ${insertedValues(createdAt)}, ${createdAt}, now(), $18, now(),
       case when $19::text is null then 'QUEUED' else 'FAILED' end,
       case when $19 is not null then 'INVALID_COMMAND' end, $19,
       case when $19 is not null then now() end, case when $19 is not null then now() end,
       case when $19 is not null then 0 end
     from ${submitted}
     on conflict (command_id) do nothing
     returning command_id`,
    [
      ...values,
      command.resourceUid,
      refusal === null ? null : storableText(refusal),
      command.submittedAt ?? null,
    ],
  )
  return inserted.length > 0 ? 'inserted' : 'exists'
}

/**
 * Inserts a stored file that was created as a custom resource: its record and its work in one
 * transaction. The record's primary key lets one of two concurrent imports win.
 */
export function importFile(database: Database, file: ImportedFile): Promise<'inserted' | 'exists'> {
  return database.transaction(async (query) => {
    await query(
      'import_file',
      `insert into files (
         file_id, account_id, environment_name, is_private, store_type, status, original_file_url,
         expires_at
       )
       values ($1, $2, $3, $4, 'STORED_FILE', 'QUEUED', $5, now() + make_interval(days => $6))
       on conflict (file_id) do nothing`,
      [
        file.fileId,
        file.accountId,
        file.environmentName,
        file.isPrivate,
        storableText(file.url),
        file.keepDays ?? null,
      ],
    )
    const inserted = await query('insert_file_work', insertWork, [file.fileId, file.resourceUid])
    return inserted.length > 0 ? 'inserted' : 'exists'
  })
}
