import type { ClientRate } from '../../store/registrations.ts'
import type { Query } from '../query.ts'

/**
 * One statement under the bucket's row lock, so replicas share the figure. A refused request leaves
 * the bucket as it is: who keeps trying waits no longer.
 */
export async function takeClientToken(
  query: Query,
  { client, call, size, fillSeconds }: ClientRate,
): Promise<number | null> {
  const values = [client, call, fillSeconds / size, fillSeconds]
  const taken = await query(
    'take_client_token',
    `insert into client_rates as r (client, call, full_at)
     values ($1, $2, now() + make_interval(secs => $3))
     on conflict (client, call) do update
       set full_at = greatest(r.full_at, now()) + make_interval(secs => $3)
       where r.full_at + make_interval(secs => $3) <= now() + make_interval(secs => $4)
     returning client`,
    values,
  )
  if (taken.length > 0) return null
  const [row] = await query<{ seconds: number }>(
    'seconds_until_client_token',
    `select extract(epoch from full_at - now())::float8 + $3 - $4 as seconds
     from client_rates where client = $1 and call = $2`,
    values,
  )
  return Math.max(0, row?.seconds ?? 0)
}
