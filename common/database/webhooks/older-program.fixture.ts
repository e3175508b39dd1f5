import type { Lease } from '../../store/webhooks.ts'
import type { Query } from '../connection/query.ts'

/** Statements of 0.2.0, which has no table of receivers: its programs run beside newer ones. */
const claimed = `
  with recursive receivers as (
    (
      select account_id, receiver from webhook_deliveries
      where status = 'PENDING' order by account_id, receiver limit 1
    )
    union all
    select following.account_id, following.receiver
    from receivers r, lateral (
      select d.account_id, d.receiver from webhook_deliveries d
      where d.status = 'PENDING' and (d.account_id, d.receiver) > (r.account_id, r.receiver)
      order by d.account_id, d.receiver limit 1
    ) following
  ), under_way as (
    select * from unnest($4::uuid[], $5::text[]) as u (account_id, receiver)
  ), due as (
    select due.delivery_id, due.account_id, due.next_attempt_at
    from receivers r, lateral (
      select d.delivery_id, d.account_id, d.next_attempt_at from webhook_deliveries d
      where d.status = 'PENDING' and d.account_id = r.account_id and d.receiver = r.receiver
        and d.next_attempt_at <= now() and (d.leased_until is null or d.leased_until <= now())
      order by d.next_attempt_at
      limit greatest(0, $3 - (
        select count(*) from under_way u
        where u.account_id = r.account_id and u.receiver = r.receiver
      ))
    ) due
  ), numbered as (
    select *, row_number() over (partition by account_id order by next_attempt_at) as place from due
  ), chosen as (
    select delivery_id from numbered n
    where place <= $2 - (select count(*) from under_way u where u.account_id = n.account_id)
    order by next_attempt_at limit $1
  ), locked as (
    -- Looked at again once it is locked: another replica may have leased it since.
    select d.delivery_id from webhook_deliveries d join chosen using (delivery_id)
    where d.status = 'PENDING' and d.next_attempt_at <= now()
      and (d.leased_until is null or d.leased_until <= now())
    for update of d skip locked
  )
  update webhook_deliveries d
  set lease = lease + 1, leased_until = now() + make_interval(secs => $6)
  from locked, accounts a
  where d.delivery_id = locked.delivery_id and a.account_id = d.account_id
  returning d.delivery_id as "deliveryId", d.lease`

export function olderProgram(query: Query) {
  return {
    claim: () => query<Lease>('older_claim', claimed, [64, 32, 8, [], [], 40]),
    record: ({ deliveryId, lease }: Lease, status: 'DELIVERED' | 'PENDING') =>
      query(
        'older_record',
        `update webhook_deliveries set attempts = attempts || '[{}]'::jsonb, status = $3,
           next_attempt_at = case when $3 = 'PENDING' then now() + interval '5 seconds' end,
           leased_until = null
         where delivery_id = $1 and lease = $2 and status = 'PENDING'`,
        [deliveryId, lease, status],
      ),
  }
}
