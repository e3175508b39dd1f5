-- phase: expand
-- oldest: 8

-- An attempt or a file whose objects cannot be deleted has a backoff of its own, so that it does not
-- delay the sweep of the others.

-- step: attempts
-- Constant defaults are kept in the catalog: no row is rewritten.
alter table attempts
  add column sweep_tries smallint not null default 0,
  -- Null until the first failure.
  add column sweep_retry_at timestamptz;

-- step: files
alter table files
  add column sweep_tries smallint not null default 0,
  add column sweep_retry_at timestamptz;
