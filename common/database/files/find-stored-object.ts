import type { Query } from '../query.ts'

/** Locks nothing. */
export async function findStoredObject(
  query: Query,
  accountId: string,
  key: string,
): Promise<{ name: string } | null> {
  const [file] = await query<{ key: string }>(
    'find_stored_object',
    `select key from files where key = $2 and account_id = $1 and deleted_at is null
       and status in ('UPLOADED', 'STORED')`,
    [accountId, key],
  )
  return file === undefined ? null : { name: file.key.slice(file.key.lastIndexOf('/') + 1) }
}
