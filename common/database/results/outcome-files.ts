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

/** A FROM item with the files of `fileParameter`, in the order of the result. */
export function fileRows(parameter: string): string {
  return `rows from (json_to_recordset(${parameter}) as (
      file_id uuid, alias text, key text, size_bytes bigint, compressed_bytes bigint,
      file_count integer, media json
    )) with ordinality as f (
      file_id, alias, key, size_bytes, compressed_bytes, file_count, media, place
    )`
}

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
