-- phase: expand
-- oldest: 8

-- step: installation
-- The installation that works on this database, refused to any other while it is alive: two would start each command twice.
create table installation (
  id boolean primary key default true check (id),
  name text not null,
  seen_at timestamptz not null default now()
);
