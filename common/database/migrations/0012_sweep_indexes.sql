-- phase: expand
-- oldest: 8

-- The sweep reads what has never failed (no time of a retry) and what is to be retried as two ranges
-- of one index, so that neither costs the time of the other.

-- step: attempts_sweep_due
create index concurrently attempts_sweep_due on attempts (sweep_retry_at, sweep_from)
  where sweep_from is not null and swept_at is null;

-- step: files_sweep_due
create index concurrently files_sweep_due on files (sweep_retry_at, file_id)
  where swept_at is null and (deleted_at is not null or status = 'FAILED');
