-- phase: expand
-- oldest: 8

-- step: webhook_receivers_due
create index concurrently webhook_receivers_due on webhook_receivers (account_id, next_due)
  where idle_since is null;

-- step: webhook_receivers_idle
create index concurrently webhook_receivers_idle on webhook_receivers (idle_since)
  where idle_since is not null;
