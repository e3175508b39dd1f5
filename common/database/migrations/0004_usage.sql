-- What accounts use, kept by triggers so that no statement can forget to count. Each change appends a
-- row, and a loop adds these up: a counter that every commit updated would make all commits of an
-- account wait for each other, and two of them could deadlock.
create table usage_changes (
  change_id bigint generated always as identity primary key,
  account_id uuid not null,
  -- First day of the calendar month (UTC) in which bytes were processed; null: bytes stored now.
  month date,
  bytes bigint not null
) with (autovacuum_vacuum_scale_factor = 0.02);
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

-- An open upload holds its place, or many uploads begun at once would fit each for itself.
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

-- A command reserves bytes of its account's quotas from its submission to its end, so that commands
-- that are submitted or started together do not all fit the same rest.
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

create function count_reservations() returns trigger language plpgsql as $$
begin
  insert into reservation_changes (account_id, bytes, output_bytes)
  select account_id, sum(reserved_bytes), sum(reserved_output_bytes) from inserted
  where finished_at is null and (reserved_bytes <> 0 or reserved_output_bytes <> 0)
  group by account_id order by account_id;
  return null;
end
$$;
-- One row for each account of a batch.
create trigger commands_reserve after insert on commands
  referencing new table as inserted for each statement execute function count_reservations();

create function end_reservation() returns trigger language plpgsql as $$
begin
  insert into reservation_changes (account_id, bytes, output_bytes)
  values (old.account_id, -old.reserved_bytes, -old.reserved_output_bytes);
  return null;
end
$$;
create trigger commands_end_reservation after update of finished_at on commands for each row
  when (
    old.finished_at is null and new.finished_at is not null
    and (old.reserved_bytes <> 0 or old.reserved_output_bytes <> 0)
  )
  execute function end_reservation();
create trigger commands_delete_reservation after delete on commands for each row
  when (
    old.finished_at is null and (old.reserved_bytes <> 0 or old.reserved_output_bytes <> 0)
  )
  execute function end_reservation();

-- What each account's commands used, by hour. Retention deletes commands, and these figures stay. Each
-- end appends a row here, too, and a loop adds the rows up.
create table usage_ends (
  end_id bigint generated always as identity primary key,
  account_id uuid not null,
  ended_at timestamptz not null,
  -- Null: the command succeeded.
  error_status text,
  processing_bytes bigint not null,
  vcpu_seconds double precision not null,
  ffmpeg_seconds double precision not null,
  -- From the submission to the first start; null: the command never started.
  wait_seconds double precision
) with (autovacuum_vacuum_scale_factor = 0.02);
create index usage_ends_by_account on usage_ends (account_id, ended_at);

create table usage_hours (
  account_id uuid not null references accounts on delete cascade,
  -- The beginning, UTC.
  hour timestamptz not null,
  succeeded integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  -- Numbers of failed commands by error_status.
  errors jsonb not null default '{}',
  processing_bytes bigint not null default 0,
  vcpu_seconds double precision not null default 0,
  ffmpeg_seconds double precision not null default 0,
  -- Numbers of started commands by `wait_class`.
  waits jsonb not null default '{}',
  peak_vcpus integer not null default 0,
  -- At the last change in this hour; null: without a change.
  stored_bytes bigint,
  primary key (account_id, hour)
);

-- Classes of waits, eight for each doubling of the time: class n is 2^(n/8) seconds.
create function wait_class(seconds double precision) returns text language sql immutable as $$
  select round(8 * ln(greatest(seconds, 0.01)) / ln(2.0::double precision))::integer::text
$$;

create function count_each(names text[]) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(name, number), '{}')
  from (select name, count(*) as number from unnest(names) name group by name) counted
$$;

create function add_counts(counts jsonb, more jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(key, number), '{}')
  from (
    select key, sum(value::bigint) as number
    from (select * from jsonb_each_text(counts) union all select * from jsonb_each_text(more)) each_count
    group by key
  ) added
$$;

create function record_usage_end() returns trigger language plpgsql as $$
begin
  insert into usage_ends (
    account_id, ended_at, error_status, processing_bytes, vcpu_seconds, ffmpeg_seconds, wait_seconds
  ) values (
    new.account_id, new.finished_at, new.error_status, coalesce(new.processing_bytes, 0),
    -- GREATEST ignores nulls, so a command that never started has 0 vCPU-seconds.
    new.vcpu_count * greatest(extract(epoch from new.finished_at - new.started_at), 0),
    coalesce(new.ffmpeg_run_seconds, 0),
    case when new.started_at is not null then
      greatest(extract(epoch from new.started_at - new.created_at), 0) end
  );
  return null;
end
$$;
create trigger commands_record_usage after update of finished_at on commands for each row
  when (
    old.finished_at is null and new.finished_at is not null
    and new.command_type <> 'STORED_FILE'
  )
  execute function record_usage_end();
create trigger commands_record_usage_inserted after insert on commands for each row
  when (new.finished_at is not null and new.command_type <> 'STORED_FILE')
  execute function record_usage_end();
