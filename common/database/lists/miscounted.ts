import type { Query } from '../connection/query.ts'

interface Miscounted {
  readonly kind: 'bucket' | 'group'
  readonly list: 'commands' | 'files'
  readonly after_created_at: unknown
  readonly after_id: string
  readonly listed: number
  readonly counted: number
}

/** Buckets and groups whose counts differ from the number of their rows. */
export function miscounted(query: Query, accounts: readonly string[]): Promise<Miscounted[]> {
  return query<Miscounted>('miscounted', `${buckets} union all ${groups}`, [accounts])
}

const counters = ['queued', 'downloading', 'downloaded', 'uploaded', 'stored', 'success', 'failed']

const buckets = `
  select 'bucket' as kind, b.list, b.after_created_at, b.after_id, b.listed, real.listed as counted
  from (
    select *, lead(after_created_at, 1, 'infinity') over ascending as upto_created_at,
      lead(after_id, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff') over ascending as upto_id
    from list_buckets where account_id = any($1::uuid[])
    window ascending as (partition by account_id, list order by after_created_at, after_id)
  ) b cross join lateral (
    select count(*) as listed,
      ${counters.map((one) => `count(*) filter (where status = '${one.toUpperCase()}') as ${one}`).join(', ')}
    from listed_rows l
    where l.account_id = b.account_id and l.list = b.list
      and (l.created_at, l.id) > (b.after_created_at, b.after_id)
      and (l.created_at, l.id) <= (b.upto_created_at, b.upto_id)
  ) real
  where (b.listed, ${counters.map((one) => `b.${one}`).join(', ')})
    is distinct from (real.listed, ${counters.map((one) => `real.${one}`).join(', ')})`

const groups = `
  select 'group', g.list, g.after_created_at, g.after_id, g.listed, sum(b.listed)
  from list_groups g join list_buckets b
    on b.account_id = g.account_id and b.list = g.list and b.grouped
    and (b.after_created_at, b.after_id) >= (g.after_created_at, g.after_id)
    and (b.after_created_at, b.after_id) <= (g.last_created_at, g.last_id)
  where g.account_id = any($1::uuid[])
  group by g.account_id, g.list, g.after_created_at, g.after_id
  having (g.listed, ${counters.map((one) => `g.${one}`).join(', ')})
    is distinct from (sum(b.listed), ${counters.map((one) => `sum(b.${one})`).join(', ')})`
