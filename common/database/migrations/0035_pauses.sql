-- phase: expand
-- oldest: 8

-- step: pauses
-- What an administrator has paused, as long as the row exists. An account's row pauses its queue alone.
create table pauses (
  what text not null,
  account_id uuid references accounts on delete cascade,
  why text not null,
  paused_at timestamptz not null default now(),
  check ((what = 'account') = (account_id is not null))
);
create unique index pauses_of_service on pauses (what) where account_id is null;
create unique index pauses_of_accounts on pauses (account_id) where account_id is not null;

-- step: admin_actions
-- Every change by a command of the administration. The database's user cannot tell who ran it, so it says where.
create table admin_actions (
  action_id bigint generated always as identity primary key,
  done_at timestamptz not null default now(),
  command text not null,
  arguments jsonb not null,
  host text not null
);
