import type { Query } from '../connection/query.ts'

/** Adds to the report of an account's deletion; changes nothing for other accounts. */
export async function countDeletedRows(
  query: Query,
  accountId: string,
  rows: number,
): Promise<void> {
  if (rows === 0) return
  await query(
    'count_deleted_rows',
    `update deleted_accounts set rows = rows + $2 where account_id = $1 and done_at is null`,
    [accountId, rows],
  )
}
