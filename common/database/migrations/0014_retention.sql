-- phase: expand
-- oldest: 8

-- Old records, originals, logs and whole accounts are deleted in batches.

-- step: accounts
alter table accounts
  -- Next visit of the retention; null: due now.
  add column retention_at timestamptz,
  -- Set by the request to delete the account; never taken back.
  add column deleting_at timestamptz;

-- step: originals
-- Null once the originals were deleted.
alter table commands alter column original_request drop not null;

-- step: retention_walks
-- Position of a walk over one list of an account, from the old end. Rows in front of it are done, except
-- those that had to stay; the next pass finds them again.
create table retention_walks (
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('logs', 'originals', 'file-originals', 'records')),
  created_at timestamptz not null default '-infinity',
  id uuid not null default '00000000-0000-0000-0000-000000000000',
  began_at timestamptz not null default now(),
  -- Set when the pass has met a row that is too young.
  ended_at timestamptz,
  primary key (account_id, kind)
);

-- step: deleted_accounts
-- What remains of a deleted account: no name and no address.
create table deleted_accounts (
  account_id uuid primary key,
  asked_at timestamptz not null default now(),
  done_at timestamptz,
  rows bigint not null default 0,
  -- Objects that the deletion itself removed; those of attempts and files are removed by their sweeps.
  objects bigint not null default 0
);

-- step: vacuum
-- A fifth of a large table is too many dead rows: the default would vacuum after months of deletions.
alter table commands set (autovacuum_vacuum_scale_factor = 0.02);
alter table files set (autovacuum_vacuum_scale_factor = 0.02);
alter table attempts set (autovacuum_vacuum_scale_factor = 0.02);
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.02);
alter table usage_changes set (autovacuum_vacuum_scale_factor = 0.02);
