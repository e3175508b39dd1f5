-- phase: expand
-- oldest: 8

-- Dispatch and admission find the first commands of an account in one index probe, stored files (no
-- vCPUs) and commands apart. The predicates and columns name nothing that progress changes, so its
-- updates stay on their page.

-- step: commands_to_dispatch
create index concurrently commands_to_dispatch
  on commands (account_id, (vcpu_count = 0), (coalesce(queue_key, created_at)), command_id)
  where dispatched_at is null and finished_at is null;

-- step: commands_to_admit
create index concurrently commands_to_admit
  on commands (account_id, (vcpu_count = 0), (coalesce(queue_key, created_at)), command_id)
  include (vcpu_count)
  where dispatched_at is not null and admitted_at is null and finished_at is null;

-- step: commands_live
create index concurrently commands_live on commands (account_id)
  where dispatched_at is not null and finished_at is null;
