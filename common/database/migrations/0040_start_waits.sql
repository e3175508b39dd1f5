-- phase: expand
-- oldest: 8

-- What of the cluster keeps an admitted command from its runner: CAPACITY, POLICY or QUOTA_OF_CLUSTER; null: nothing does. A
-- program of the release before shows no reason.

-- step: start_wait
alter table commands add column start_wait text;

-- step: returned_round
-- The round from which the command returned to the queue of its account, without a runner; the next admission is a later one.
alter table commands add column returned_round integer not null default 0;
