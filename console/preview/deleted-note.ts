import type { FileRecord } from '../../common/openapi/openapi-types.ts'

/** Note in place of a preview: a stored file with an error was lost, not deleted by request. */
export function deletedNote({
  status,
  external_error_message: reason,
}: Pick<FileRecord, 'status' | 'external_error_message'>): string {
  const why = status === 'STORED' && reason !== null ? reason : 'Deleted'
  return `${why}. The record stays.`
}
