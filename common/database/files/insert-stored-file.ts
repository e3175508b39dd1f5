import type { NewStoredFile } from '../../store/files.ts'
import { insertFileWork } from './insert-file-work.ts'
import type { Database } from '../query.ts'

/**
 * File and work in one transaction: a file without work would stay QUEUED for ever. Takes the
 * key-share lock of the account's row only. A repeated id changes nothing.
 */
export function insertStoredFile(database: Database, file: NewStoredFile): Promise<void> {
  return database.transaction(async (query) => {
    await query(
      'insert_stored_file',
      `insert into files (
         file_id, account_id, environment_name, is_private, store_type, status,
         original_file_url, webhook_url
       ) values ($1, $2, $3, $4, 'STORED_FILE', 'QUEUED', $5, $6)
       on conflict (file_id) do nothing`,
      [
        file.fileId,
        file.accountId,
        file.environmentName,
        file.isPrivate,
        file.originalFileUrl,
        file.webhookUrl,
      ],
    )
    await insertFileWork(query, file.fileId)
  })
}
