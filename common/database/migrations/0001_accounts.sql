create table accounts (
  account_id uuid primary key,
  name text not null unique check (name ~ '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$'),
  plan text not null,
  -- Figures of an account in place of those of its plan, by their names in the configuration; null: without a limit.
  limits jsonb not null default '{}',
  suspended boolean not null default false,
  -- The address it was registered with, in lower case; null where an administrator made it without one.
  email text unique check (email = lower(email)),
  default_output_ttl_seconds integer check (default_output_ttl_seconds between 60 and 31536000),
  created_at timestamptz not null default now(),
  -- Next visit of the retention; null: due now.
  retention_at timestamptz,
  -- Set by the request to delete the account; never taken back.
  deleting_at timestamptz
);
create index accounts_by_retention on accounts (retention_at nulls first);
create index accounts_deleting on accounts (deleting_at) where deleting_at is not null;

create table api_keys (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  -- Names the key without telling it.
  key_id uuid not null unique default gen_random_uuid(),
  account_id uuid not null references accounts,
  -- The first characters of the key, which name it to its users; null: not known yet.
  prefix text,
  label text,
  environment_name text,
  -- Also set for a key that is read-only or expires; such a key has been revoked when it has `revoked_at`.
  disabled boolean not null default false,
  read_only boolean not null default false,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  -- Within a minute.
  last_used_at timestamptz
);
create index api_keys_by_account on api_keys (account_id, created_at);

-- Asked for over the API and not confirmed yet. It is the outbox of the mails too: a row without
-- sent_at or failed_at still owes one.
create table registrations (
  registration_id uuid primary key,
  email text not null check (email = lower(email)),
  -- The wish for the account's name.
  name text,
  created_at timestamptz not null default now(),
  send_from timestamptz not null default now(),
  attempts integer not null default 0,
  sent_at timestamptz,
  failed_at timestamptz,
  activated_at timestamptz,
  -- The key that was handed out for it.
  key_id uuid,
  constraint activated_with_a_key check ((activated_at is null) = (key_id is null))
);
-- Whoever asks twice before the mail is out gets one mail.
create unique index registrations_unsent on registrations (email)
  where sent_at is null and failed_at is null;
create index registrations_by_email on registrations (email, created_at);
create index registrations_to_send on registrations (send_from)
  where sent_at is null and failed_at is null;
create index registrations_by_age on registrations (created_at);

-- Each try to send a mail makes a token of its own, because only hashes are kept. The first one
-- that is used uses up the registration.
create table activation_tokens (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  registration_id uuid not null references registrations on delete cascade,
  created_at timestamptz not null default now()
);
create index activation_tokens_by_registration on activation_tokens (registration_id);

-- A token bucket for each client address and call that needs no key. It refills evenly, so it is one
-- time: when it will be full again.
create table client_rates (
  client text not null,
  call text not null,
  full_at timestamptz not null,
  primary key (client, call)
);
create index client_rates_by_age on client_rates (full_at);

-- A token bucket that refills evenly and is as large as what refills in a minute is one time: when it
-- will be full again. Each token moves it, and it may be at most a minute away.
create table rate_buckets (
  account_id uuid not null references accounts,
  rate_group text not null,
  full_at timestamptz not null,
  primary key (account_id, rate_group)
) with (fillfactor = 50);

-- Requests made under an Idempotency-Key. The row comes before the request's effects and fixes the id
-- of what it makes, so that a repetition after a crash makes the same thing and no second one.
create table idempotency_keys (
  account_id uuid not null references accounts,
  key text not null,
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  resource_id uuid not null,
  created_at timestamptz not null default now(),
  -- Until then the first request is taken to be in flight.
  leased_until timestamptz not null,
  -- The answer, once there is one; only 2xx are kept.
  status integer check (status between 200 and 299),
  body json,
  primary key (account_id, key)
);
create index idempotency_keys_expiring on idempotency_keys (created_at);

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

-- The installation that works on this database, refused to any other while it is alive: two would start each command twice.
create table installation (
  id boolean primary key default true check (id),
  name text not null,
  seen_at timestamptz not null default now()
);
