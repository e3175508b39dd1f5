import type { ClaimedDelivery, DeliveryClaim } from '../../store/webhooks.ts'
import { signingSecrets } from './webhook-columns.ts'
import type { Query } from '../query.ts'

/**
 * Locks the rows it takes and passes by those that others have locked. Walks from receiver to
 * receiver along the index, so a backlog of one of them costs nothing and hides nobody.
 */
export function claimDeliveries(query: Query, claim: DeliveryClaim): Promise<ClaimedDelivery[]> {
  return query<ClaimedDelivery>('claim_deliveries', claimDue, [
    claim.limit,
    claim.perAccount,
    claim.perReceiver,
    claim.underWay.map(({ accountId }) => accountId),
    claim.underWay.map(({ receiver }) => receiver),
    claim.leaseSeconds,
  ])
}

const claimDue = `
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
  returning d.delivery_id as "deliveryId", d.lease, d.account_id as "accountId", d.receiver,
    d.event, d.command_id as "commandId", d.file_id as "fileId", d.url,
    d.created_at as "createdAt", now() as "claimedAt", d.body,
    jsonb_array_length(d.attempts) as "failedAttempts", a.plan,
    ${signingSecrets('d.account_id')} as secrets`
