-- phase: expand
-- oldest: 8

-- The estimated start of a waiting command needs the mean run time of its account's commands.

-- step: ended_commands
-- Commands that `mean_seconds` is the mean of. A release adds to both in the row that it writes anyway.
alter table account_shares add column ended_commands bigint not null default 0;
