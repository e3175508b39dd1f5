-- phase: expand
-- oldest: 8

-- The two unique indexes make a second use of a pod, or of its Job, impossible. They hold standbys alone:
-- the name of another pod says which command it was made for.

-- step: attempts_of_standby_pods
create unique index concurrently attempts_of_standby_pods on attempts (attempt)
  where standby_job is not null;

-- step: attempts_of_standby_jobs
create unique index concurrently attempts_of_standby_jobs on attempts (standby_job)
  where standby_job is not null;

-- step: attempts_by_claim
-- The size of the pool follows the claims of the last minutes.
create index concurrently attempts_by_claim on attempts (claimed_at);
