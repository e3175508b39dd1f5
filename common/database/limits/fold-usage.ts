import type { Query } from '../query.ts'

/**
 * Locks the changes it adds up, skips those that another replica has, and locks the totals in the
 * order of accounts, so that no two of these wait for each other in a circle.
 */
export async function foldUsage(query: Query, limit: number): Promise<number> {
  const [row] = await query<{ folded: number }>(
    'fold_usage',
    `with folded as (
       delete from usage_changes where change_id in (
         select change_id from usage_changes order by change_id limit $1 for update skip locked
       ) returning account_id, month, bytes
     ), added as (
       insert into usage_totals (account_id, month, bytes)
       select account_id, month, sum(bytes) from folded group by account_id, month
       order by account_id, month
       on conflict (account_id, month) do update set bytes = usage_totals.bytes + excluded.bytes
     )
     select count(*)::integer as folded from folded`,
    [limit],
  )
  return row?.folded ?? 0
}
