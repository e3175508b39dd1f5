-- phase: expand
-- oldest: 1

create table accounts (
  account_id uuid primary key,
  name text not null unique check (name ~ '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$'),
  plan text not null,
  suspended boolean not null default false,
  created_at timestamptz not null default now()
);

create table api_keys (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  account_id uuid not null references accounts,
  environment_name text,
  disabled boolean not null default false,
  created_at timestamptz not null default now()
);

-- A row changes some ten times in its life, mostly by progress. The free space keeps these updates
-- on their page (HOT), which holds as long as no index names a column that progress changes.
create table commands (
  command_id uuid primary key,
  account_id uuid not null references accounts,
  environment_name text,
  command_type text not null check (command_type in ('FFMPEG_COMMAND', 'FFMPEG_CHAINED_COMMANDS')),
  -- json keeps the text as submitted, with the order of its keys; jsonb would sort the aliases.
  source json not null,
  original_request json not null,
  metadata json,
  vcpu_count integer not null check (vcpu_count > 0),
  max_run_seconds double precision not null check (max_run_seconds > 0),
  is_private boolean not null,
  created_at timestamptz not null default now(),

  status text not null default 'QUEUED'
    check (status in ('QUEUED', 'PROCESSING', 'PREPARED_FFMPEG_COMMAND', 'FAILED', 'SUCCESS')),
  stage text
    check (stage in ('DOWNLOADING', 'PREPARING_INPUT_FILES', 'FFMPEG_PROCESSING', 'UPLOADING')),
  progress_percent double precision check (progress_percent between 0 and 100),
  steps jsonb not null,
  error_status text,
  error_message text,
  started_at timestamptz,
  finished_at timestamptz,
  ffmpeg_run_seconds double precision,
  processing_bytes bigint check (processing_bytes >= 0),

  -- The custom resource: made by dispatch, brought up to date by the mirror.
  version bigint not null default 1,
  mirrored_version bigint not null default 0,
  unmirrored_since timestamptz,
  mirrored_at timestamptz,
  dispatch_leased_until timestamptz,
  dispatched_at timestamptz,
  resource_uid text,
  resource_deleted_at timestamptz,

  cancel_requested boolean not null default false,
  admitted_at timestamptz,
  released_at timestamptz,
  round integer not null default 0 check (round >= 0),
  round_began_at timestamptz,
  -- UID of the pod that holds the command; the fence of every report.
  attempt text,
  attempts integer not null default 0,
  -- In the row, not in a table beside it: a guard that waited for the row's lock sees the newest row,
  -- but every other table as it was before the wait.
  lost_attempts text[] not null default '{}',
  loss_reasons text[] not null default '{}',
  charged_losses integer not null default 0,

  constraint final_has_an_end check ((status in ('SUCCESS', 'FAILED')) = (finished_at is not null)),
  constraint stage_while_running check ((stage is null) = (status in ('QUEUED', 'SUCCESS', 'FAILED'))),
  constraint prepared_before_ffmpeg
    check (status <> 'PREPARED_FFMPEG_COMMAND' or stage = 'PREPARING_INPUT_FILES'),
  constraint error_only_on_failed check (
    (status = 'FAILED') = (error_status is not null)
    and (error_status is null) = (error_message is null)
  ),
  constraint hundred_only_on_success
    check ((status = 'SUCCESS') = (progress_percent is not distinct from 100)),
  constraint running_was_assigned
    check (status in ('QUEUED', 'FAILED') or (attempts > 0 and started_at is not null)),
  constraint success_has_a_winner check (status <> 'SUCCESS' or attempt is not null),
  constraint rounds_follow_admission check ((round > 0) = (admitted_at is not null)),
  constraint attempt_in_a_round check (attempt is null or round > 0),
  constraint released_at_the_end check (released_at is null or finished_at is not null),
  constraint mirrored_what_exists check (mirrored_version <= version)
) with (fillfactor = 70);

create index commands_by_account on commands (account_id, created_at desc, command_id desc);
create index commands_undispatched on commands (created_at, command_id)
  where dispatched_at is null and finished_at is null;
create index commands_waiting on commands (account_id, created_at, command_id)
  where admitted_at is null and finished_at is null;
create index commands_using_vcpus on commands (account_id) include (vcpu_count)
  where admitted_at is not null and released_at is null;
create index commands_unmirrored on commands (unmirrored_since) where unmirrored_since is not null;
create index commands_with_resource on commands (command_id)
  where dispatched_at is not null and resource_deleted_at is null;

-- The commit statement guards itself; this guards against every statement written later.
create function refuse_second_end() returns trigger language plpgsql as $$
begin
  raise exception 'command % is final', old.command_id using errcode = 'integrity_constraint_violation';
end
$$;
create trigger commands_end_once before update on commands for each row
  when (
    old.finished_at is not null
    and (old.status, old.error_status, old.error_message, old.finished_at, old.attempt, old.processing_bytes)
      is distinct from
      (new.status, new.error_status, new.error_message, new.finished_at, new.attempt, new.processing_bytes)
  )
  execute function refuse_second_end();

-- Pods that were given a command. What one of them wrote is swept if it lost or failed.
create table attempts (
  command_id uuid not null references commands on delete cascade,
  attempt text not null,
  round integer not null,
  claimed_at timestamptz not null default now(),
  lost_at timestamptz,
  reason text,
  sweep_from timestamptz,
  swept_at timestamptz,
  primary key (command_id, attempt)
);
create index attempts_to_sweep on attempts (sweep_from)
  where sweep_from is not null and swept_at is null;

-- Outputs of commands that ended in SUCCESS; nothing else is ever listed.
create table files (
  file_id uuid primary key,
  command_id uuid not null references commands,
  account_id uuid not null references accounts,
  environment_name text,
  position integer not null,
  alias text not null,
  key text not null unique,
  size_bytes bigint not null check (size_bytes >= 0),
  compressed_bytes bigint check (compressed_bytes >= 0),
  file_count integer check (file_count >= 0),
  media json not null,
  is_private boolean not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index files_by_command on files (command_id, position);

-- Multipart uploads that were opened and neither completed nor aborted yet.
create table uploads (
  upload_id text primary key,
  command_id uuid not null references commands on delete cascade,
  attempt text not null,
  key text not null,
  created_at timestamptz not null default now()
);
create index uploads_by_attempt on uploads (attempt, key);

-- FFmpeg's messages while a command runs, at most 1 MiB a step; they go with the custom resource.
create table command_logs (
  command_id uuid not null references commands on delete cascade,
  attempt text not null,
  step integer not null,
  sequence integer not null,
  text text not null,
  bytes integer generated always as (octet_length(text)) stored,
  primary key (command_id, attempt, step, sequence)
);
