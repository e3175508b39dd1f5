import { backoffFailures, emptyLooks, looksPerClaim } from '../../store/webhooks.ts'
import { isPaused } from '../pauses/paused.ts'
import { signingSecrets } from './webhooks.ts'

/** A delivery `d` that no attempt holds and whose time has come. */
export const isDue = `d.status = 'PENDING' and d.next_attempt_at <= now()
  and (d.leased_until is null or d.leased_until <= now())`

/** A delivery `d` that an attempt holds, and its account `a`. */
export const claimedColumns = `
  d.delivery_id as "deliveryId", d.lease, d.account_id as "accountId", d.receiver,
  d.event, d.command_id as "commandId", d.file_id as "fileId", d.url,
  d.created_at as "createdAt", now() as "claimedAt", d.body,
  jsonb_array_length(d.attempts) as "failedAttempts", d.resent, a.plan,
  ${signingSecrets('d.account_id')} as secrets`

/** Pending deliveries `d` of the receiver `of`, in the order of the index. */
const pendingOf = (of: string): string =>
  `d.status = 'PENDING' and d.account_id = ${of}.account_id and d.receiver = ${of}.receiver`

/**
 * Reads the first due time of each account, then due receivers of accounts that have room, and only
 * of these their due deliveries: nothing of what is not due. The receivers that it looked at get the
 * time of their next look: now while more is due, the next known time, and at most 1, 2, 4, 8 s on while
 * a transaction may commit a delivery that this statement does not see.
 *
 * $1 deliveries, $2 attempts of an account, $3 of a receiver; $4, $5 receivers of the attempts in
 * flight; $6 seconds of the lease.
 */
export const claimDue = `
  with recursive heads as (
    (
      select account_id, next_due from webhook_receivers
      where idle_since is null order by account_id, next_due limit 1
    )
    union all
    select following.account_id, following.next_due
    from heads h, lateral (
      select r.account_id, r.next_due from webhook_receivers r
      where r.idle_since is null and r.account_id > h.account_id
      order by r.account_id, r.next_due limit 1
    ) following
  ), under_way as (
    select account_id, receiver, count(*)::integer as attempts
    from unnest($4::uuid[], $5::text[]) as u (account_id, receiver) group by account_id, receiver
  ), open_accounts as (
    select h.account_id, $2 - coalesce((
      select sum(u.attempts)::integer from under_way u where u.account_id = h.account_id
    ), 0) as room
    from heads h where h.next_due <= now() and not ${isPaused('webhooks')}
  ), candidates as (
    select a.account_id, a.room as account_room, r.receiver, r.room,
      row_number() over (partition by a.account_id order by r.next_due) as place
    from open_accounts a, lateral (
      select w.receiver, w.next_due, w.room from (
        select r.receiver, r.next_due, case
          when r.failures >= ${backoffFailures} then least(1, $3) else $3
        end - coalesce((
          select u.attempts from under_way u
          where u.account_id = r.account_id and u.receiver = r.receiver
        ), 0) as room
        from webhook_receivers r
        where r.account_id = a.account_id and r.idle_since is null and r.next_due <= now()
      ) w
      where w.room > 0 order by w.next_due limit ${looksPerClaim.account}
    ) r
    where a.room > 0
    order by place, r.next_due limit ${looksPerClaim.all}
  ), locked as materialized (
    select c.*, r.empty_looks
    from candidates c, lateral (
      -- Looked at again once it is locked: another replica may have claimed its deliveries since.
      select w.empty_looks from webhook_receivers w
      where w.account_id = c.account_id and w.receiver = c.receiver
        and w.idle_since is null and w.next_due <= now()
      for no key update skip locked
    ) r
  ), due as materialized (
    -- One more than there is room for shows whether a delivery stays due.
    select l.account_id, l.receiver, l.place, l.room, l.account_room, d.delivery_id,
      row_number() over (partition by l.account_id, l.receiver order by d.next_attempt_at) as nth
    from locked l, lateral (
      select d.delivery_id, d.next_attempt_at from webhook_deliveries d
      where ${pendingOf('l')} and ${isDue}
      order by d.next_attempt_at limit l.room + 1
    ) d
  ), turns as (
    select delivery_id, account_room, place,
      row_number() over (partition by account_id order by nth, place) as turn
    from due where nth <= room
  ), chosen as (
    select delivery_id from turns where turn <= account_room order by turn, place limit $1
  ), taken as materialized (
    select d.* from chosen c, lateral (
      select d.delivery_id, d.account_id, d.receiver from webhook_deliveries d
      where d.delivery_id = c.delivery_id and ${isDue}
      for no key update skip locked
    ) d
  ), counted as (
    select l.account_id, l.receiver, l.empty_looks,
      coalesce(d.due, 0) as due, coalesce(t.taken, 0) as taken
    from locked l
    left join (
      select account_id, receiver, count(*) as due from due group by account_id, receiver
    ) d using (account_id, receiver)
    left join (
      select account_id, receiver, count(*) as taken from taken group by account_id, receiver
    ) t using (account_id, receiver)
  ), looked as (
    select c.account_id, c.receiver, c.taken, c.taken = c.due as is_done,
      case when c.taken > 0 then 0 else least(c.empty_looks + 1, ${emptyLooks}) end as looks,
      -- While a delivery stays due, the leases in front of a backlog must not be searched for.
      case when c.taken = c.due then least(
        (
          select min(d.leased_until) from webhook_deliveries d
          where ${pendingOf('c')} and d.next_attempt_at <= now() and d.leased_until > now()
        ),
        (
          select d.next_attempt_at from webhook_deliveries d
          where ${pendingOf('c')} and d.next_attempt_at > now() order by d.next_attempt_at limit 1
        )
      ) end as next_known
    from counted c
  ), moved as (
    update webhook_receivers r set
      next_due = case
        when l.is_done then coalesce(least(l.next_known, case
          when l.looks < ${emptyLooks} then now() + make_interval(secs => 2 ^ l.looks)
        end), 'infinity')
        when l.taken > 0 then now()
        else r.next_due
      end,
      empty_looks = case when l.is_done then l.looks else 0 end,
      idle_since = case
        when l.is_done and l.looks = ${emptyLooks} and l.next_known is null then now()
      end
    from looked l
    where r.account_id = l.account_id and r.receiver = l.receiver
  )
  update webhook_deliveries d
  set lease = lease + 1, leased_until = now() + make_interval(secs => $6)
  from taken, accounts a
  where d.delivery_id = taken.delivery_id and a.account_id = d.account_id
  returning ${claimedColumns}`
