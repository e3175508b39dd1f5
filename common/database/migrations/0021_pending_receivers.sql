-- phase: backfill
-- oldest: 8

-- step: pending_receivers
-- Receivers of deliveries that were pending before the trigger existed. The cursor is the account's id,
-- 36 characters, and the receiver.
with page as materialized (
  select distinct account_id, receiver from webhook_deliveries
  where status = 'PENDING' and (account_id, receiver) > (
    coalesce(left($1::text, 36), '00000000-0000-0000-0000-000000000000')::uuid,
    coalesce(substr($1::text, 37), '')
  )
  order by account_id, receiver limit $2
), added as (
  insert into webhook_receivers (account_id, receiver, next_due)
  select account_id, receiver, now() from page
  on conflict do nothing
)
select account_id::text || receiver as cursor from page
order by account_id desc, receiver desc limit 1;
