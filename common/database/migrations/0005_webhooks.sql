-- RFC 9562 version 7, for rows that the database makes itself.
create function new_uuid_v7() returns uuid language sql volatile as $$
  select encode(
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
          from 1 for 6
        ),
        52, 1
      ),
      53, 1
    ),
    'hex'
  )::uuid
$$;

-- 256 bits out of 366 random ones, written as Standard Webhooks has it.
create function new_webhook_secret() returns text language sql volatile as $$
  select 'whsec_' || encode(
    sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
    'base64'
  )
$$;

-- One row an account, from its beginning.
create table webhooks (
  account_id uuid primary key references accounts,
  url text,
  events text[] not null default '{command.finished}'
    check (events <@ '{command.finished,file.stored,file.failed}' and cardinality(events) > 0),
  created_at timestamptz not null default now()
);

-- In clear, because receivers have to be given them.
create table webhook_secrets (
  secret text primary key default new_webhook_secret(),
  account_id uuid not null references accounts,
  created_at timestamptz not null default now(),
  -- Signs for a day longer, beside its successor.
  retired_at timestamptz
);
create unique index webhook_secrets_current on webhook_secrets (account_id)
  where retired_at is null;
create index webhook_secrets_by_account on webhook_secrets (account_id);

create function create_webhook() returns trigger language plpgsql as $$
begin
  insert into webhooks (account_id) values (new.account_id);
  insert into webhook_secrets (account_id) values (new.account_id);
  return null;
end
$$;
create trigger accounts_have_a_webhook after insert on accounts for each row
  execute function create_webhook();

create table webhook_deliveries (
  delivery_id uuid primary key default new_uuid_v7(),
  account_id uuid not null references accounts,
  event text not null check (event in ('command.finished', 'file.stored', 'file.failed')),
  command_id uuid,
  file_id uuid,
  url text not null,
  -- Scheme, host and port: attempts are spread over receivers by it.
  receiver text not null
    generated always as (coalesce(lower(substring(url from '^[^:/?#]+://[^/?#]*')), url)) stored,
  -- As sent, made once before the first attempt; gone after the last one.
  body text,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  -- [{"at", "response_status", "error"}], oldest first.
  attempts jsonb not null default '[]',
  next_attempt_at timestamptz default now(),
  created_at timestamptz not null default now(),
  -- The attempt under way: it alone may record its end. After this time it has lost its claim.
  lease bigint not null default 0,
  leased_until timestamptz,
  -- Sent again after its end: it gets one attempt.
  resent boolean not null default false,
  -- Headers of the last attempt, with the signature cut.
  request_headers jsonb,
  constraint about_one_thing check ((command_id is null) <> (file_id is null)),
  constraint pending_has_a_time check ((status = 'PENDING') = (next_attempt_at is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index webhook_deliveries_by_account
  on webhook_deliveries (account_id, created_at desc, delivery_id desc);
create index webhook_deliveries_due
  on webhook_deliveries (account_id, receiver, next_attempt_at) where status = 'PENDING';
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
-- A command and a file end once, so whoever tells of an end twice is mistaken.
create unique index webhook_deliveries_once
  on webhook_deliveries (coalesce(command_id, file_id), event);

-- Claims of deliveries read receivers that are due, not all receivers with a pending delivery.
create table webhook_receivers (
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
create index webhook_receivers_due on webhook_receivers (account_id, next_due)
  where idle_since is null;
create index webhook_receivers_idle on webhook_receivers (idle_since)
  where idle_since is not null;

-- Runs for a new delivery, a failed attempt and a released lease. Locks
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

-- Deferred: the transaction takes the lock of the receiver as its last one, after those of lists and
-- quotas, so two ends of commands never wait for each other in turn.
create constraint trigger webhook_deliveries_schedule
  after insert or update of next_attempt_at, leased_until on webhook_deliveries
  deferrable initially deferred for each row
  when (new.status = 'PENDING' and new.leased_until is null)
  execute function schedule_receiver();

-- Deliveries are made by triggers, in the transaction of the end: no crash can come between an end
-- and its event, and no statement written later can forget it.
create function deliver_webhook(account uuid, kind text, own_url text, command uuid, file uuid)
returns void language sql as $$
  insert into webhook_deliveries (account_id, event, command_id, file_id, url)
  select account, kind, command, file, coalesce(own_url, w.url)
  from webhooks w
  where w.account_id = account and (own_url is not null or w.url is not null and kind = any (w.events))
  on conflict do nothing
$$;

create function deliver_command_finished() returns trigger language plpgsql as $$
begin
  perform deliver_webhook(new.account_id, 'command.finished', new.webhook_url, new.command_id, null);
  return null;
end
$$;
create trigger commands_deliver_finished after update on commands for each row
  when (old.finished_at is null and new.finished_at is not null and new.command_type <> 'STORED_FILE')
  execute function deliver_command_finished();
-- A refused import is final from the start.
create trigger commands_deliver_finished_inserted after insert on commands for each row
  when (new.finished_at is not null and new.command_type <> 'STORED_FILE')
  execute function deliver_command_finished();

-- Whoever aborts an upload or deletes an unfinished file knows of its end: an upload without a job of
-- its own was cancelled by its abort, a job by its deletion in the cluster too.
create function deliver_file_ended() returns trigger language plpgsql as $$
begin
  if new.error_status = 'CANCELLED'
    and not exists (select from commands c where c.command_id = new.file_id) then
    return null;
  end if;
  perform deliver_webhook(
    new.account_id, case new.status when 'STORED' then 'file.stored' else 'file.failed' end,
    new.webhook_url, null, new.file_id
  );
  return null;
end
$$;
create trigger files_deliver_ended after update of status on files for each row
  when (
    new.store_type = 'STORED_FILE' and new.deleted_at is null
    and new.status in ('STORED', 'FAILED') and old.status is distinct from new.status
  )
  execute function deliver_file_ended();
