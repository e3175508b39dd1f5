-- phase: expand
-- oldest: 8

-- step: timeline
-- When the gateway has heard of each stage and step, and what the command waited for until its admission.
-- Statements that change the row anyway append to it. Null: a program of an earlier release wrote none.
alter table commands add column timeline jsonb;
