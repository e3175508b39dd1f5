-- phase: expand
-- oldest: 8

-- What of the cluster keeps an admitted command from its runner: CAPACITY, POLICY or QUOTA_OF_CLUSTER; null: nothing does. A
-- program of the release before shows no reason.

-- step: start_wait
alter table commands add column start_wait text;
