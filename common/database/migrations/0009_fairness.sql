-- phase: expand
-- oldest: 8

-- Dispatch and admission take turns among accounts.

-- step: queue_key
-- The place of a command in its account's queue: null for normal priority, whose place is its age.
alter table commands add column queue_key timestamptz;

-- step: account_shares
create table account_shares (
  account_id uuid primary key references accounts on delete cascade,
  used_vcpu_seconds double precision not null default 0,
  rate_vcpus real,
  mean_seconds real,
  reason text,
  updated_at timestamptz not null default now()
);
