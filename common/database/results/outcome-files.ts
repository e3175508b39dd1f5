import { storableText } from '../connection/values.ts'
import type { CommandWarning } from '../../domain/command-warnings.ts'
import type { Outcome } from '../../store/attempts.ts'
import type { NewFile } from '../../store/files.ts'

/** The files of a successful outcome as one JSON parameter; an empty list for a failure. */
export function fileParameter(
  outcome: Pick<Outcome, 'status'> & { readonly files?: readonly NewFile[] },
): string {
  return JSON.stringify((outcome.files ?? []).map(fileColumnsOf), storable)
}

/** The warnings of a successful outcome; an empty list for a failure, whose message explains it. */
export function warningParameter(
  outcome: Pick<Outcome, 'status'> & { readonly warnings?: readonly CommandWarning[] },
): string {
  return JSON.stringify(outcome.warnings ?? [], storable)
}

/** A FROM item with the files of `fileParameter`, $9, in the order of the result. */
const fileRows = `rows from (json_to_recordset($9) as (
      file_id uuid, alias text, key text, size_bytes bigint, compressed_bytes bigint,
      file_count integer, media json
    )) with ordinality as f (
      file_id, alias, key, size_bytes, compressed_bytes, file_count, media, place
    )`

/** Inserts the outputs of the command in `ended`, as old as its end. */
export const insertOutputs = `insert into files (
      file_id, command_id, account_id, environment_name, is_private, created_at,
      presigned_ttl_seconds, position, alias, key, size_bytes, compressed_bytes, file_count, media,
      expires_at
    )
    select file_id, command_id, account_id, environment_name, is_private, finished_at,
      presigned_ttl_seconds, place, alias, key, size_bytes, compressed_bytes, file_count, media,
      finished_at + make_interval(secs => output_ttl_seconds)
    from ended, ${fileRows}
    where command_type <> 'STORED_FILE'`

/** Ends the record of the stored file whose work is in `ended`: $3 status, $5 message, $10 error of a file. */
export const fillStoredFile = `update files f set
      status = case when $3 = 'SUCCESS' or f.status = 'UPLOADED' then 'STORED' else 'FAILED' end,
      error_status = case when $3 = 'FAILED' and f.status <> 'UPLOADED' then $10 end,
      error_message = case when $3 = 'FAILED' and f.status <> 'UPLOADED' then $5 end,
      key = coalesce(f.key, w.key), size_bytes = coalesce(f.size_bytes, w.size_bytes),
      media = w.media
    from ended left join (select * from ${fileRows} limit 1) w on true
    where f.file_id = ended.command_id and ended.command_type = 'STORED_FILE'
      and f.status not in ('STORED', 'FAILED') and f.deleted_at is null
    returning f.file_id`

function fileColumnsOf(file: NewFile) {
  return {
    file_id: file.fileId,
    alias: file.alias,
    key: file.key,
    size_bytes: file.sizeBytes,
    compressed_bytes: file.compressedBytes,
    file_count: file.fileCount,
    media: file.media,
  }
}

/** Probe data of an untrusted file must not make the whole statement fail. */
function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value
}
