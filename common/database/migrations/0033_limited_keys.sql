-- phase: expand
-- oldest: 8

-- step: limited_keys
-- The release before accepts every key that is not disabled, for all calls and without an end. So a key
-- that is read-only or expires is stored with `disabled`, and its own end is `revoked_at`.
alter table api_keys
  -- The first characters of the key, which name it to its users; null: not known yet.
  add column prefix text,
  add column read_only boolean not null default false,
  add column expires_at timestamptz,
  add column revoked_at timestamptz,
  -- Within a minute.
  add column last_used_at timestamptz;
