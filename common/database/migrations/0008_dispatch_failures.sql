-- phase: expand
-- oldest: 8

-- Each row counts the failed tries to create its own custom resource and backs off by itself, so that
-- rows that can never be created do not hold up the others. The columns are in no index: an update
-- of them stays on its page.
-- A statement that reads the table for minutes would hold up this one, and this one all later ones.
set local lock_timeout = '2s';
-- Constant defaults are kept in the catalog: no row is rewritten.
alter table commands
  add column dispatch_tries smallint not null default 0,
  -- Tries in which the row was at fault: another create, or a test write, succeeded meanwhile.
  add column dispatch_definite smallint not null default 0,
  add column dispatch_retry_at timestamptz,
  -- Time of the first definite error.
  add column dispatch_error_since timestamptz,
  -- Status, reason and message of the API server at the latest try, at most 200 characters.
  add column dispatch_error text;
