-- phase: expand
-- oldest: 8

-- step: resent_deliveries
alter table webhook_deliveries
  -- Sent again after its end: it gets one attempt.
  add column resent boolean not null default false,
  -- Headers of the last attempt, with the signature cut.
  add column request_headers jsonb;

-- step: files_listed_by_kind
-- Lists of files by kind and type. The name of an uploaded file has no slash, a URL has.
create index concurrently files_listed_by_kind on files (
  account_id,
  (case when store_type = 'OUTPUT' then 'output'
    when strpos(original_file_url, '/') > 0 then 'url' else 'upload' end),
  (coalesce(media ->> 'file_type', '')),
  status, created_at desc, file_id desc
) where deleted_at is null;
