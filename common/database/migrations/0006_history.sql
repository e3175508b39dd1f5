-- Old records, originals, logs and whole accounts are deleted in batches. Position of a walk over one list
-- of an account, from the old end. Rows in front of it are done, except those that had to stay; the next
-- pass finds them again.
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

-- What remains of a deleted account: no name and no address.
create table deleted_accounts (
  account_id uuid primary key,
  asked_at timestamptz not null default now(),
  done_at timestamptz,
  rows bigint not null default 0,
  -- Objects that the deletion itself removed; those of attempts and files are removed by their sweeps.
  objects bigint not null default 0
);

-- Every change by a command of the administration. The database's user cannot tell who ran it, so it says where.
create table admin_actions (
  action_id bigint generated always as identity primary key,
  done_at timestamptz not null default now(),
  command text not null,
  arguments jsonb not null,
  host text not null
);

-- The server start and timeline after which custom resources were compared with rows. A server that was
-- restarted, promoted or restored has another one: its last commits may be lost.
create table database_history (
  singleton boolean primary key default true check (singleton),
  compared text not null,
  compared_at timestamptz not null default now()
);

-- Objects in the bucket that belong to no row, which `admin check --restore` finds after the database was restored
-- to an earlier point in time. They stay for seven days, since the restore may be repeated with a later point in
-- time. No reference: neither the account nor the owner needs to exist.
create table orphans (
  account_id uuid not null,
  -- The command or file that the keys name.
  owner_id uuid not null,
  -- Empty: all objects of the owner.
  attempt text not null default '',
  objects bigint not null,
  bytes bigint not null,
  found_at timestamptz not null default now(),
  sweep_tries smallint not null default 0,
  -- Null until the first failure.
  sweep_retry_at timestamptz,
  primary key (account_id, owner_id, attempt)
);
create index orphans_due on orphans (found_at);
