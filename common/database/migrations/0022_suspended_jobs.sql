-- phase: expand
-- oldest: 8

-- step: suspended_at
-- A Job that waits suspended in the queue of another controller holds none of its account's vCPUs. A
-- program of the release before counts it as one that runs, which admits too little and never too much.
alter table commands
  add column suspended_at timestamptz,
  add column resumed_at timestamptz;
