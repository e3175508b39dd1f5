-- phase: expand
-- oldest: 8

-- A command reserves bytes of its account's quotas from its submission to its end, so that commands
-- that are submitted or started together do not all fit the same rest. The reservations have tables of
-- their own: the program of the release before folds every row of `usage_changes` into the bytes that
-- are used.

-- step: reserved_bytes
-- Reserved of the processing quota, and of the storage quota for the outputs.
alter table commands
  add column reserved_bytes bigint not null default 0,
  add column reserved_output_bytes bigint not null default 0;

-- step: mean_bytes
-- Means of the commands that `mean_seconds` is the mean of.
alter table account_shares
  add column mean_bytes double precision,
  add column mean_output_bytes double precision;

-- step: reservations
create table reservation_changes (
  change_id bigint generated always as identity primary key,
  account_id uuid not null references accounts on delete cascade,
  bytes bigint not null,
  output_bytes bigint not null
);
create index reservation_changes_by_account on reservation_changes (account_id);
create table reservations (
  account_id uuid primary key references accounts on delete cascade,
  bytes bigint not null,
  output_bytes bigint not null
);

-- step: count_reservations
create function count_reservations() returns trigger language plpgsql as $$
begin
  insert into reservation_changes (account_id, bytes, output_bytes)
  select account_id, sum(reserved_bytes), sum(reserved_output_bytes) from inserted
  where finished_at is null and (reserved_bytes <> 0 or reserved_output_bytes <> 0)
  group by account_id order by account_id;
  return null;
end
$$;

-- step: end_reservation
create function end_reservation() returns trigger language plpgsql as $$
begin
  insert into reservation_changes (account_id, bytes, output_bytes)
  values (old.account_id, -old.reserved_bytes, -old.reserved_output_bytes);
  return null;
end
$$;

-- step: commands_reserve
-- One row for each account of a batch.
create trigger commands_reserve after insert on commands
  referencing new table as inserted for each statement execute function count_reservations();

-- step: commands_end_reservation
create trigger commands_end_reservation after update of finished_at on commands for each row
  when (
    old.finished_at is null and new.finished_at is not null
    and (old.reserved_bytes <> 0 or old.reserved_output_bytes <> 0)
  )
  execute function end_reservation();

-- step: commands_delete_reservation
create trigger commands_delete_reservation after delete on commands for each row
  when (
    old.finished_at is null and (old.reserved_bytes <> 0 or old.reserved_output_bytes <> 0)
  )
  execute function end_reservation();
