-- phase: expand
-- oldest: 8

-- What went another way than the author of a command meant, although it ended with SUCCESS.

-- step: warnings
-- Elements have code, message and alias.
alter table commands add column warnings jsonb not null default '[]';
