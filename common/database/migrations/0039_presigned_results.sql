-- phase: expand
-- oldest: 8

-- step: presigned_ttl_seconds
-- Lifetime of the presigned URL in each record of a private file; null: the record has the plain URL. A file keeps its own
-- since it may outlive its command.
alter table commands add column presigned_ttl_seconds integer check (presigned_ttl_seconds > 0);
alter table files add column presigned_ttl_seconds integer check (presigned_ttl_seconds > 0);
