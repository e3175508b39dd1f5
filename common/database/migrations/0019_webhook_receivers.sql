-- phase: expand
-- oldest: 8

-- Claims of deliveries read receivers that are due, not all receivers with a pending delivery.

-- step: webhook_receivers
create table webhook_receivers (
  -- The program of the release before deletes accounts and does not know this table.
  account_id uuid not null references accounts on delete cascade,
  receiver text not null,
  -- When a claim looks for due deliveries; infinity while none is pending.
  next_due timestamptz not null,
  -- Looks since the last delivery was found. A delivery that is committed during a look is found by the next one.
  empty_looks smallint not null default 0,
  -- Set while the receiver has no pending delivery; the row is deleted a day later.
  idle_since timestamptz,
  -- In a row.
  failures integer not null default 0,
  -- No attempt starts before: the receiver itself is backed off.
  not_before timestamptz not null default '-infinity',
  primary key (account_id, receiver),
  constraint idle_is_never_due check ((idle_since is not null) = (next_due = 'infinity'))
) with (autovacuum_vacuum_scale_factor = 0.02);

-- step: schedule_receiver
-- Runs for a new delivery, a failed attempt and a released lease, of each release's programs. Locks
-- nothing while the receiver is busy, so commits of one account do not wait for each other. After an
-- empty look it takes the lock, because the next empty look may be the last one.
create function schedule_receiver() returns trigger language plpgsql as $$
declare
  known webhook_receivers;
  due timestamptz;
begin
  select * into known from webhook_receivers r
    where r.account_id = new.account_id and r.receiver = new.receiver;
  due := greatest(new.next_attempt_at, known.not_before, now());
  if known.empty_looks = 0 and known.next_due <= due + interval '1 second' then
    if known.next_due > due then
      -- A claim or another commit that holds the lock is followed by a look within a second.
      update webhook_receivers r set next_due = due
      from (
        select account_id, receiver from webhook_receivers
        where account_id = new.account_id and receiver = new.receiver and next_due > due
        for no key update skip locked
      ) free
      where r.account_id = free.account_id and r.receiver = free.receiver;
    end if;
    return null;
  end if;
  update webhook_receivers r
  set next_due = least(r.next_due, greatest(new.next_attempt_at, r.not_before, now())),
    empty_looks = 0, idle_since = null
  where r.account_id = new.account_id and r.receiver = new.receiver;
  if not found then
    insert into webhook_receivers (account_id, receiver, next_due)
    values (new.account_id, new.receiver, due) on conflict do nothing;
  end if;
  return null;
end
$$;

-- step: webhook_deliveries_schedule
-- Deferred: the transaction takes the lock of the receiver as its last one, after those of lists and
-- quotas, so two ends of commands never wait for each other in turn.
create constraint trigger webhook_deliveries_schedule
  after insert or update of next_attempt_at, leased_until on webhook_deliveries
  deferrable initially deferred for each row
  when (new.status = 'PENDING' and new.leased_until is null)
  execute function schedule_receiver();
