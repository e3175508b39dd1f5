import type { ImportedFile } from '../../store/reconcile.ts'
import { insertWork } from '../files/insert-file-work.ts'
import { storableText } from '../storable-text.ts'
import type { Database } from '../query.ts'

/**
 * A stored file that exists as custom resource first: its record and its work in one transaction.
 * The record's primary key decides between two that import it.
 */
export function importFile(database: Database, file: ImportedFile): Promise<'inserted' | 'exists'> {
  return database.transaction(async (query) => {
    await query(
      'import_file',
      `insert into files (
         file_id, account_id, environment_name, is_private, store_type, status, original_file_url
       )
       values ($1, $2, $3, $4, 'STORED_FILE', 'QUEUED', $5)
       on conflict (file_id) do nothing`,
      [file.fileId, file.accountId, file.environmentName, file.isPrivate, storableText(file.url)],
    )
    const inserted = await query('insert_file_work', insertWork, [file.fileId, file.resourceUid])
    return inserted.length > 0 ? 'inserted' : 'exists'
  })
}
