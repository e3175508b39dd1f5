import { signingSecrets } from './webhooks.ts'
import type {
  ClaimedDelivery,
  Delivery,
  DeliveryGauges,
  WebhookStore,
} from '../../store/webhooks.ts'
import type { Database } from '../connection/query.ts'

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

/** Deliveries of events, from the claim to the last attempt. */
export function deliveries({
  query,
}: Database): Pick<
  WebhookStore,
  | 'listDeliveries'
  | 'claimDeliveries'
  | 'keepDeliveryBody'
  | 'recordDelivery'
  | 'releaseDelivery'
  | 'expireDeliveries'
  | 'deliveryGauges'
> {
  return {
    /** Locks nothing; newest first by the index of the account. */
    listDeliveries(list) {
      return query<Delivery>(
        'list_deliveries',
        `select delivery_id as "deliveryId", event, command_id as "commandId", file_id as "fileId",
           url, status, attempts, next_attempt_at as "nextAttemptAt", created_at as "createdAt"
         from webhook_deliveries
         where account_id = $1 and ($2::text is null or status = $2)
           and created_at > now() - interval '30 days'
         order by created_at desc, delivery_id desc limit $3 offset $4`,
        [list.accountId, list.status, list.limit, list.offset],
      )
    },

    /**
     * Locks the rows it takes and skips those that others have locked. Walks from receiver to receiver
     * along the index, so a backlog of one receiver costs no time and does not delay the others.
     */
    claimDeliveries(claim) {
      return query<ClaimedDelivery>('claim_deliveries', claimDue, [
        claim.limit,
        claim.perAccount,
        claim.perReceiver,
        claim.underWay.map(({ accountId }) => accountId),
        claim.underWay.map(({ receiver }) => receiver),
        claim.leaseSeconds,
      ])
    },

    /** Locks the row. */
    async keepDeliveryBody(kept) {
      const [row] = await query<{ body: string }>(
        'keep_delivery_body',
        `update webhook_deliveries set body = coalesce(body, $3)
         where delivery_id = $1 and lease = $2 and status = 'PENDING' returning body`,
        [kept.deliveryId, kept.lease, kept.body],
      )
      return row?.body ?? null
    },

    /** Locks the row. Guarded by the lease: another replica has retried an attempt that took too long. */
    async recordDelivery({ deliveryId, lease, attempt, status, nextAttemptInSeconds }) {
      const recorded = await query(
        'record_delivery',
        `update webhook_deliveries set
           attempts = attempts || jsonb_build_array($3::jsonb),
           status = $4,
           next_attempt_at = now() + make_interval(secs => $5),
           leased_until = null,
           body = case when $4 = 'PENDING' then body end
         where delivery_id = $1 and lease = $2 and status = 'PENDING' returning delivery_id`,
        [deliveryId, lease, JSON.stringify(attempt), status, nextAttemptInSeconds],
      )
      return recorded.length > 0
    },

    /** Locks the row. */
    async releaseDelivery(lease) {
      await query(
        'release_delivery',
        `update webhook_deliveries set leased_until = null, lease = lease + 1
         where delivery_id = $1 and lease = $2 and status = 'PENDING'`,
        [lease.deliveryId, lease.lease],
      )
    },

    /** Locks the rows it removes and skips those that others have locked. */
    async expireDeliveries({ days, limit }) {
      const removed = await query(
        'expire_deliveries',
        `delete from webhook_deliveries where delivery_id = any(array(
           select delivery_id from webhook_deliveries
           where created_at < now() - make_interval(days => $1)
           order by created_at limit $2 for update skip locked
         )) returning delivery_id`,
        [days, limit],
      )
      return removed.length
    },

    /** Locks nothing; reads pending rows only. */
    async deliveryGauges() {
      const [row] = await query<DeliveryGauges>(
        'delivery_gauges',
        `select count(*) as pending,
           coalesce(extract(epoch from now() - min(created_at)), 0)::double precision
             as "oldestPendingSeconds",
           greatest(coalesce(extract(epoch from now() - min(next_attempt_at)), 0), 0)::double precision
             as "overdueSeconds"
         from webhook_deliveries where status = 'PENDING'`,
      )
      if (row === undefined) throw new Error('an aggregate returned no row')
      return row
    },
  }
}
