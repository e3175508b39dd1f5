-- phase: expand
-- oldest: 8

-- step: first_swept_at
-- A lost attempt is swept twice: its pod may go on where the cluster cannot reach it.
alter table attempts add column first_swept_at timestamptz;
