import type { Usage } from '../../store/limits.ts'
import type { Query } from '../query.ts'

/** Locks nothing. One statement, so a fold that runs meanwhile is seen wholly or not at all. */
export async function readUsage(query: Query, accountId: string): Promise<Usage> {
  const [row] = await query<Usage>(
    'read_usage',
    `with counted as (
       select month, bytes from usage_totals where account_id = $1
       union all
       select month, bytes from usage_changes where account_id = $1
     )
     select coalesce(sum(bytes) filter (where counted.month is null), 0)::bigint as "storedBytes",
       coalesce(sum(bytes) filter (where counted.month = this.month), 0)::bigint as "processingBytes",
       this.month::timestamp at time zone 'UTC' as "monthStart",
       (this.month + interval '1 month') at time zone 'UTC' as "monthEnd"
     from (select date_trunc('month', now() at time zone 'UTC')::date as month) this
     left join counted on true
     group by this.month`,
    [accountId],
  )
  if (row === undefined) throw new Error('the database named no month')
  return row
}
