-- Fair admission: the order inside an account, and what each account has used.
set local lock_timeout = '2s';
-- Null is the order of creation, so old rows and older programs need no backfill.
alter table commands add column queue_key timestamptz;

create index commands_to_dispatch
  on commands (account_id, (vcpu_count = 0), (coalesce(queue_key, created_at)), command_id)
  where dispatched_at is null and finished_at is null;
create index commands_to_admit
  on commands (account_id, (vcpu_count = 0), (coalesce(queue_key, created_at)), command_id)
  include (vcpu_count)
  where dispatched_at is not null and admitted_at is null and finished_at is null;
create index commands_live on commands (account_id)
  where dispatched_at is not null and finished_at is null;

create table account_shares (
  account_id uuid primary key references accounts on delete cascade,
  -- Raised where a command's vCPUs are released; work on a stored file counts as one vCPU.
  used_vcpu_seconds double precision not null default 0,
  rate_vcpus real,
  mean_seconds real,
  -- What the account's waiting commands wait for, as the leader last wrote it.
  reason text,
  updated_at timestamptz not null default now()
);
