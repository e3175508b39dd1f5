-- phase: expand
-- oldest: 4

-- What accounts use, kept by triggers so that no statement can forget to count. Each change appends a
-- row, and a loop adds these up: a counter that every commit updated would make all commits of an
-- account wait for each other, and two of them could deadlock.
create table usage_changes (
  change_id bigint generated always as identity primary key,
  account_id uuid not null,
  -- First day of the calendar month (UTC) in which bytes were processed; null: bytes stored now.
  month date,
  bytes bigint not null
);
create index usage_changes_by_account on usage_changes (account_id);

create table usage_totals (
  account_id uuid not null references accounts,
  month date,
  bytes bigint not null,
  unique nulls not distinct (account_id, month)
);

-- Objects that exist: of a folder its archive. A failed or deleted file frees its bytes at once.
create function stored_bytes(file files) returns bigint language sql immutable as $$
  select case when file.deleted_at is null and file.status in ('UPLOADED', 'STORED')
    then coalesce(file.compressed_bytes, file.size_bytes, 0) else 0 end
$$;

create function count_stored_bytes() returns trigger language plpgsql as $$
declare
  change bigint := case when tg_op = 'DELETE' then 0 else stored_bytes(new) end
    - case when tg_op = 'INSERT' then 0 else stored_bytes(old) end;
begin
  if change <> 0 then
    insert into usage_changes (account_id, bytes)
    values (case when tg_op = 'DELETE' then old.account_id else new.account_id end, change);
  end if;
  return null;
end
$$;
create trigger files_count_stored_bytes
  after insert or delete or update of status, deleted_at, size_bytes, compressed_bytes on files
  for each row execute function count_stored_bytes();

-- An open upload holds its place, or many uploads begun at once would fit each for itself. The
-- account stands in the row because a cascade removes it after its file.
alter table upload_sessions add column account_id uuid;
update upload_sessions s set account_id = f.account_id from files f where f.file_id = s.file_id;
alter table upload_sessions alter column account_id set not null;

create function own_upload_session() returns trigger language plpgsql as $$
begin
  select account_id into new.account_id from files where file_id = new.file_id;
  return new;
end
$$;
create trigger upload_sessions_belong_to_accounts before insert on upload_sessions
  for each row execute function own_upload_session();

create function count_upload_session() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into usage_changes (account_id, bytes) values (old.account_id, -old.size_bytes);
  end if;
  if tg_op <> 'DELETE' then
    insert into usage_changes (account_id, bytes) values (new.account_id, new.size_bytes);
  end if;
  return null;
end
$$;
create trigger upload_sessions_count after insert or delete or update of size_bytes on upload_sessions
  for each row execute function count_upload_session();

-- Charged in the month in which the command ended, for good: a command ends once.
create function count_processing_bytes() returns trigger language plpgsql as $$
begin
  insert into usage_changes (account_id, month, bytes)
  values (
    new.account_id,
    date_trunc('month', new.finished_at at time zone 'UTC')::date,
    new.processing_bytes - case when tg_op = 'INSERT' then 0 else coalesce(old.processing_bytes, 0) end
  );
  return null;
end
$$;
create trigger commands_count_processing_bytes_inserted after insert on commands for each row
  when (new.finished_at is not null and new.processing_bytes <> 0)
  execute function count_processing_bytes();
create trigger commands_count_processing_bytes after update on commands for each row
  when (
    new.finished_at is not null and new.processing_bytes is distinct from old.processing_bytes
    and new.processing_bytes is not null
    and (new.processing_bytes <> 0 or old.processing_bytes is not null)
  )
  execute function count_processing_bytes();

insert into usage_totals (account_id, month, bytes)
select account_id, null, sum(bytes) from (
  select account_id, stored_bytes(f) as bytes from files f
  union all
  select account_id, size_bytes from upload_sessions
) stored group by account_id
union all
select account_id, date_trunc('month', finished_at at time zone 'UTC')::date as month,
  sum(processing_bytes)
from commands where finished_at is not null and processing_bytes > 0 group by account_id, month;

-- A token bucket that refills evenly and is as large as what refills in a minute is one time: when it
-- will be full again. Each token moves it, and it may be at most a minute away.
create table rate_buckets (
  account_id uuid not null references accounts,
  rate_group text not null,
  full_at timestamptz not null,
  primary key (account_id, rate_group)
) with (fillfactor = 50);

-- Requests made under an Idempotency-Key. The row comes before the request's effects and fixes the id
-- of what it makes, so that a repetition after a crash makes the same thing and no second one.
create table idempotency_keys (
  account_id uuid not null references accounts,
  key text not null,
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  resource_id uuid not null,
  created_at timestamptz not null default now(),
  -- Until then the first request is taken to be in flight.
  leased_until timestamptz not null,
  -- The answer, once there is one; only 2xx are kept.
  status integer check (status between 200 and 299),
  body json,
  primary key (account_id, key)
);
create index idempotency_keys_expiring on idempotency_keys (created_at);
