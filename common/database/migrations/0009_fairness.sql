
-- Dispatch and admission take turns among accounts. Both find the first commands of an account in one
-- index probe, stored files (no vCPUs) and commands apart. Their predicates and columns name nothing
-- that progress changes, so its updates stay on their page.

-- The place of a command in its account's queue: null for normal priority, whose place is its age.
alter table commands add column queue_key timestamptz;

create table account_shares (
  account_id uuid primary key references accounts on delete cascade,
  used_vcpu_seconds double precision not null default 0,
  rate_vcpus real,
  mean_seconds real,
  reason text,
  updated_at timestamptz not null default now()
);

create index commands_to_dispatch
  on commands (account_id, (vcpu_count = 0), (coalesce(queue_key, created_at)), command_id)
  where dispatched_at is null and finished_at is null;

create index commands_to_admit
  on commands (account_id, (vcpu_count = 0), (coalesce(queue_key, created_at)), command_id)
  include (vcpu_count)
  where dispatched_at is not null and admitted_at is null and finished_at is null;

create index commands_live on commands (account_id)
  where dispatched_at is not null and finished_at is null;
