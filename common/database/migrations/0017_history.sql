-- phase: expand
-- oldest: 8

-- step: database_history
-- The server start and timeline after which custom resources were compared with rows. A server that was
-- restarted, promoted or restored has another one: its last commits may be lost.
create table database_history (
  singleton boolean primary key default true check (singleton),
  compared text not null,
  compared_at timestamptz not null default now()
);
