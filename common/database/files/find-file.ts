import type { StoredFile } from '../../store/files.ts'
import { fileColumns } from '../commands/command-columns.ts'
import type { Query } from '../query.ts'

/** Locks nothing. */
export async function findFile(
  query: Query,
  accountId: string,
  fileId: string,
): Promise<StoredFile | null> {
  const [file] = await query<StoredFile>(
    'find_file',
    `select ${fileColumns} from files f where f.file_id = $2 and f.account_id = $1`,
    [accountId, fileId],
  )
  return file ?? null
}
