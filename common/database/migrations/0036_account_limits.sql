-- phase: expand
-- oldest: 8

-- step: limits
-- Figures of an account in place of those of its plan, by their names in the configuration; null: without a limit.
alter table accounts add column limits jsonb not null default '{}';
