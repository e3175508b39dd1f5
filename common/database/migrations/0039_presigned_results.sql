-- phase: expand
-- oldest: 8

-- Lifetime of the presigned URL in each record of a private file; null: the record has the plain URL. Without a check,
-- which would read the whole table under its lock.

-- step: of_commands
alter table commands add column presigned_ttl_seconds integer;

-- step: of_files
-- A file keeps its own, since it may outlive its command.
alter table files add column presigned_ttl_seconds integer;
