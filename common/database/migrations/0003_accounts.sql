-- phase: expand
-- oldest: 3

alter table accounts
  -- The address it was registered with, in lower case; null where an administrator made it without one.
  add column email text unique check (email = lower(email)),
  add column default_output_ttl_seconds integer
    check (default_output_ttl_seconds between 60 and 31536000);

alter table api_keys
  -- Names the key without telling it.
  add column key_id uuid not null unique default gen_random_uuid(),
  add column label text;
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
