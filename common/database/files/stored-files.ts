import { fileColumns } from '../commands/command-columns.ts'
import { pageOfList } from '../lists/page-of-list.ts'
import { insertFileWork } from './insert-file-work.ts'
import type { FileStatus } from '../../domain/states.ts'
import type { FileStore, StoredFile, StoredFileStore } from '../../store/files.ts'
import type { Database, Query } from '../connection/query.ts'

/** File records: of outputs, uploads and files fetched from a URL. */
export function storedFiles(
  database: Database,
): FileStore & Pick<StoredFileStore, 'insertStoredFile' | 'listFiles' | 'findFile' | 'findFiles'> {
  const { query } = database
  return {
    /** Locks nothing. */
    async findStoredObject(accountId, key) {
      const [file] = await query<{ key: string }>(
        'find_stored_object',
        `select key from files where key = $2 and account_id = $1 and deleted_at is null
           and status in ('UPLOADED', 'STORED')`,
        [accountId, key],
      )
      return file === undefined ? null : { name: file.key.slice(file.key.lastIndexOf('/') + 1) }
    },

    /**
     * File and work in one transaction: a file without work would stay QUEUED permanently. Takes the
     * key-share lock of the account's row only. Idempotent per id.
     */
    insertStoredFile(file) {
      return database.transaction(async (query) => {
        await query(
          'insert_stored_file',
          `insert into files (
             file_id, account_id, environment_name, is_private, store_type, status,
             original_file_url, webhook_url, expires_at, presigned_ttl_seconds
           ) values (
             $1, $2, $3, $4, 'STORED_FILE', 'QUEUED', $5, $6, now() + make_interval(days => $7), $8
           )
           on conflict (file_id) do nothing`,
          [
            file.fileId,
            file.accountId,
            file.environmentName,
            file.isPrivate,
            file.originalFileUrl,
            file.webhookUrl,
            file.keepDays ?? null,
            file.presignedTtlSeconds ?? null,
          ],
        )
        await insertFileWork(query, file.fileId)
      })
    },

    listFiles: (list) => listFiles(query, list),

    /** Locks nothing. */
    async findFile(accountId, fileId) {
      const [file] = await query<StoredFile>(
        'find_file',
        `select ${fileColumns} from files f where f.file_id = $2 and f.account_id = $1`,
        [accountId, fileId],
      )
      return file ?? null
    },

    /** Locks nothing. The account of each file is part of its key: a batch holds keys of many accounts. */
    findFiles: (keys) =>
      query<StoredFile & { accountId: string }>(
        'find_files_by_key',
        `select ${fileColumns}, f.account_id as "accountId"
         from unnest($1::uuid[], $2::uuid[]) k (account_id, file_id) join files f using (account_id, file_id)`,
        [keys.map(({ accountId }) => accountId), keys.map(({ fileId }) => fileId)],
      ),
  }
}

/** Locks nothing. Reads the index up to the end of the page, and the rows of the page. */
export function listFiles(
  query: Query,
  list: { accountId: string; status: FileStatus | null; limit: number; offset: number },
): Promise<StoredFile[]> {
  const values = [list.accountId, list.limit, list.offset]
  const page = pageOfList({
    table: 'files',
    id: 'file_id',
    condition: `deleted_at is null${list.status === null ? '' : ` and status = '${list.status}'`}`,
  })
  return query<StoredFile>(
    `list_files_${list.status ?? 'all'}`,
    `with ${page} select ${fileColumns} from page f order by f.created_at desc, f.file_id desc`,
    values,
  )
}
