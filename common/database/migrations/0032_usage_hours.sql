-- phase: expand
-- oldest: 8

-- What each account's commands used, by hour. Retention deletes commands, and these figures stay. As in
-- `usage_changes` each end appends a row, and a loop adds the rows up: an hour that every commit updated
-- would make the commits of an account wait for each other.

-- step: usage_ends
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

-- step: usage_hours
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

-- step: wait_class
-- Classes of waits, eight for each doubling of the time: class n is 2^(n/8) seconds.
create function wait_class(seconds double precision) returns text language sql immutable as $$
  select round(8 * ln(greatest(seconds, 0.01)) / ln(2.0::double precision))::integer::text
$$;

-- step: count_each
create function count_each(names text[]) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(name, number), '{}')
  from (select name, count(*) as number from unnest(names) name group by name) counted
$$;

-- step: add_counts
create function add_counts(counts jsonb, more jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(key, number), '{}')
  from (
    select key, sum(value::bigint) as number
    from (select * from jsonb_each_text(counts) union all select * from jsonb_each_text(more)) each_count
    group by key
  ) added
$$;

-- step: record_usage_end
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

-- step: commands_record_usage
create trigger commands_record_usage after update of finished_at on commands for each row
  when (
    old.finished_at is null and new.finished_at is not null
    and new.command_type <> 'STORED_FILE'
  )
  execute function record_usage_end();

-- step: commands_record_usage_inserted
create trigger commands_record_usage_inserted after insert on commands for each row
  when (new.finished_at is not null and new.command_type <> 'STORED_FILE')
  execute function record_usage_end();
