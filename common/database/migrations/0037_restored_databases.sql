-- phase: expand
-- oldest: 8

-- What `admin check --restore` finds after the database was restored to an earlier point in time.

-- step: lost_at
-- Set with `deleted_at`: the bucket did not have the object of the file.
alter table files add column lost_at timestamptz;

-- step: orphans
-- Objects in the bucket that belong to no row. They stay for seven days, since the restore may be repeated with a
-- later point in time. No reference: neither the account nor the owner needs to exist.
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

-- step: orphans_due
create index concurrently orphans_due on orphans (found_at);
