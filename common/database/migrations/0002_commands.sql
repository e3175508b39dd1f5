-- A row changes some ten times in its life, mostly by progress. The free space keeps these updates
-- on their page (HOT), which holds as long as no index names a column that progress changes.
create table commands (
  command_id uuid primary key,
  account_id uuid not null references accounts,
  environment_name text,
  -- STORED_FILE: fetches or probes the file with the same id; it has no FFmpeg command and no record of its own.
  command_type text not null
    check (command_type in ('FFMPEG_COMMAND', 'FFMPEG_CHAINED_COMMANDS', 'STORED_FILE')),
  -- json keeps the text as submitted, with the order of its keys; jsonb would sort the aliases.
  source json not null,
  -- Null once the originals were deleted.
  original_request json,
  metadata json,
  -- A stored file's job counts nothing against the account's vCPUs.
  vcpu_count integer not null constraint commands_vcpu_count_check
    check (vcpu_count > 0 or (vcpu_count = 0 and command_type = 'STORED_FILE')),
  max_run_seconds double precision not null check (max_run_seconds > 0),
  is_private boolean not null,
  -- Lifetime of the presigned URL in each record of a private file; null: the record has the plain URL.
  presigned_ttl_seconds integer,
  -- Outputs are deleted so long after the end; null keeps them.
  output_ttl_seconds integer check (output_ttl_seconds > 0),
  webhook_url text,
  -- Reserved of the processing quota, and of the storage quota for the outputs.
  reserved_bytes bigint not null default 0,
  reserved_output_bytes bigint not null default 0,
  created_at timestamptz not null default now(),
  -- The place of a command in its account's queue: null for normal priority, whose place is its age.
  queue_key timestamptz,

  status text not null default 'QUEUED'
    check (status in ('QUEUED', 'PROCESSING', 'PREPARED_FFMPEG_COMMAND', 'FAILED', 'SUCCESS')),
  -- What a list can be filtered by, without the changes that progress makes: an index on status
  -- itself would take these updates off their page.
  list_status text not null generated always as (
    case when status in ('PROCESSING', 'PREPARED_FFMPEG_COMMAND') then 'RUNNING' else status end
  ) stored,
  stage text
    check (stage in ('DOWNLOADING', 'PREPARING_INPUT_FILES', 'FFMPEG_PROCESSING', 'UPLOADING')),
  progress_percent double precision check (progress_percent between 0 and 100),
  steps jsonb not null,
  -- What went another way than the author of a command meant, although it ended with SUCCESS. Elements
  -- have code, message and alias.
  warnings jsonb not null default '[]',
  error_status text,
  error_message text,
  started_at timestamptz,
  finished_at timestamptz,
  ffmpeg_run_seconds double precision,
  processing_bytes bigint check (processing_bytes >= 0),
  -- When the gateway has heard of each stage and step, and what the command waited for until its admission.
  -- Statements that change the row anyway append to it.
  timeline jsonb,

  -- The custom resource: made by dispatch, brought up to date by the mirror.
  version bigint not null default 1,
  mirrored_version bigint not null default 0,
  unmirrored_since timestamptz,
  mirrored_at timestamptz,
  dispatch_leased_until timestamptz,
  dispatched_at timestamptz,
  -- Each row counts the failed tries to create its own custom resource and backs off by itself, so that
  -- rows that can never be created do not hold up the others.
  dispatch_tries smallint not null default 0,
  -- Tries in which the row was at fault: another create, or a test write, succeeded meanwhile.
  dispatch_definite smallint not null default 0,
  dispatch_retry_at timestamptz,
  -- Time of the first definite error.
  dispatch_error_since timestamptz,
  -- Status, reason and message of the API server at the latest try, at most 200 characters.
  dispatch_error text,
  resource_uid text,
  resource_deleted_at timestamptz,

  cancel_requested boolean not null default false,
  admitted_at timestamptz,
  -- Why an admitted command has no runner yet: CAPACITY, POLICY, QUOTA_OF_CLUSTER or KUEUE; null: it may have one.
  start_wait text,
  released_at timestamptz,
  round integer not null default 0 check (round >= 0),
  round_began_at timestamptz,
  -- The round from which the command returned to the queue of its account, without a runner; the next admission is a later one.
  returned_round integer not null default 0,
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
  -- A fifth of a large table is too many dead rows: the default would vacuum after months of deletions.
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- Lists. Jobs of stored files are no commands of the list; a run of them must not be walked over.
create index commands_listed on commands (account_id, created_at desc, command_id desc)
  where command_type <> 'STORED_FILE';
create index commands_listed_by_status
  on commands (account_id, list_status, created_at desc, command_id desc)
  where command_type <> 'STORED_FILE';
-- The kind of a failure changes once, with the status, which is in an index already.
create index commands_failed_by_error
  on commands (account_id, error_status, created_at desc, command_id desc)
  where error_status is not null and command_type <> 'STORED_FILE';
-- Finished work on stored files, which no list shows.
create index commands_file_work on commands (account_id, finished_at)
  where command_type = 'STORED_FILE' and finished_at is not null;

-- Dispatch and admission find the first commands of an account in one index probe, stored files (no
-- vCPUs) and commands apart. The predicates and columns name nothing that progress changes, so its
-- updates stay on their page.
create index commands_to_dispatch
  on commands (account_id, (vcpu_count = 0), (coalesce(queue_key, created_at)), command_id)
  where dispatched_at is null and finished_at is null;
create index commands_to_admit
  on commands (account_id, (vcpu_count = 0), (coalesce(queue_key, created_at)), command_id)
  include (vcpu_count)
  where dispatched_at is not null and admitted_at is null and finished_at is null;
create index commands_live on commands (account_id)
  where dispatched_at is not null and finished_at is null;
create index commands_undispatched on commands (created_at, command_id)
  where dispatched_at is null and finished_at is null;
-- With the vCPUs in the index, a place in the queue is counted without reading the waiting rows.
create index commands_waiting on commands (account_id, created_at, command_id) include (vcpu_count)
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
  -- An attempt can be a pod that waited for a command before one was chosen for it. Both are null for a
  -- pod that was made for its command.
  standby_job text,
  -- By the pod's own clock, from its start until it was given the command.
  waited_seconds integer,
  lost_at timestamptz,
  reason text,
  sweep_from timestamptz,
  -- An attempt whose objects cannot be deleted has a backoff of its own, so that it does not delay the
  -- sweep of the others.
  sweep_tries smallint not null default 0,
  -- Null until the first failure.
  sweep_retry_at timestamptz,
  -- A lost attempt is swept twice: its pod may go on where the cluster cannot reach it.
  first_swept_at timestamptz,
  swept_at timestamptz,
  primary key (command_id, attempt)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index attempts_to_sweep on attempts (sweep_from)
  where sweep_from is not null and swept_at is null;
-- The sweep reads what has never failed (no time of a retry) and what is to be retried as two ranges
-- of one index, so that neither costs the time of the other.
create index attempts_sweep_due on attempts (sweep_retry_at, sweep_from)
  where sweep_from is not null and swept_at is null;
-- The two unique indexes make a second use of a pod, or of its Job, impossible. They hold pods that waited
-- alone: the name of another pod says which command it was made for.
create unique index attempts_of_standby_pods on attempts (attempt) where standby_job is not null;
create unique index attempts_of_standby_jobs on attempts (standby_job)
  where standby_job is not null;
-- The size of the pool follows the claims of the last minutes.
create index attempts_by_claim on attempts (claimed_at);

-- Multipart uploads that were opened and neither completed nor aborted yet.
create table uploads (
  upload_id text primary key,
  command_id uuid not null references commands on delete cascade,
  attempt text not null,
  key text not null,
  created_at timestamptz not null default now()
);
create index uploads_by_attempt on uploads (attempt, key);
-- Deleting a command deletes its uploads, and read all of them without it.
create index uploads_by_command on uploads (command_id);

-- FFmpeg's messages while a command runs, at most 1 MiB a step; they go with the custom resource.
create table command_logs (
  command_id uuid not null references commands on delete cascade,
  attempt text not null,
  step integer not null,
  sequence integer not null,
  text text not null,
  bytes integer generated always as (octet_length(text)) stored,
  -- How much was cut out here. The row stays, so that a repeated report cannot bring its text back.
  cut_bytes integer not null default 0,
  primary key (command_id, attempt, step, sequence)
);

-- FFmpeg's messages of a command that has ended, as one object of the bucket. The rows of
-- command_logs go in the transaction that records it, so they are always at one of the two places.
create table command_log_objects (
  command_id uuid primary key references commands on delete cascade,
  key text not null,
  -- How many bytes of the object belong to each step, in order.
  step_bytes integer[] not null
);

-- Dispatch and admission take turns among accounts.
create table account_shares (
  account_id uuid primary key references accounts on delete cascade,
  used_vcpu_seconds double precision not null default 0,
  rate_vcpus real,
  mean_seconds real,
  -- Commands that `mean_seconds` and the means of bytes are the means of.
  ended_commands bigint not null default 0,
  mean_bytes double precision,
  mean_output_bytes double precision,
  reason text,
  updated_at timestamptz not null default now()
);

-- Dispatch signs the custom resources that it creates: after the loss of its row, an object with an id is taken in again
-- only with that mark. Its one row is made at the first use.
create table dispatch_key (
  id boolean primary key default true check (id),
  key text not null
);
