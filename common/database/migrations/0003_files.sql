-- Outputs of commands that ended in SUCCESS, and stored files: they are listed as one.
create table files (
  file_id uuid primary key,
  account_id uuid not null references accounts,
  environment_name text,
  store_type text not null default 'OUTPUT' check (store_type in ('OUTPUT', 'STORED_FILE')),
  status text not null default 'STORED'
    check (status in ('QUEUED', 'DOWNLOADING', 'DOWNLOADED', 'UPLOADED', 'STORED', 'FAILED')),
  error_status text,
  error_message text,
  command_id uuid references commands,
  position integer,
  alias text,
  -- The URL that the file was stored from, or the name of an uploaded file.
  original_file_url text,
  webhook_url text,
  key text unique,
  size_bytes bigint check (size_bytes >= 0),
  compressed_bytes bigint check (compressed_bytes >= 0),
  file_count integer check (file_count >= 0),
  media json,
  is_private boolean not null,
  -- A file keeps its own, since it may outlive its command.
  presigned_ttl_seconds integer,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  deleted_at timestamptz,
  -- Set with `deleted_at`: the bucket did not have the object of the file.
  lost_at timestamptz,
  -- A file whose objects cannot be deleted has a backoff of its own.
  sweep_tries smallint not null default 0,
  sweep_retry_at timestamptz,
  -- Set once the objects of a deleted or failed file are gone.
  swept_at timestamptz,

  constraint outputs_have_a_command check (
    (store_type = 'OUTPUT') = (command_id is not null)
    and (store_type = 'OUTPUT') = (alias is not null)
  ),
  constraint outputs_are_stored check (store_type <> 'OUTPUT' or status = 'STORED'),
  constraint stored_has_an_object
    check (status not in ('UPLOADED', 'STORED') or (key is not null and size_bytes is not null)),
  constraint error_only_on_failed_files check (
    (status = 'FAILED') = (error_status is not null)
    and (error_status is null) = (error_message is null)
  )
) with (autovacuum_vacuum_scale_factor = 0.02);

create index files_by_command on files (command_id, position);
create index files_by_account on files (account_id, created_at desc, file_id desc)
  where deleted_at is null;
create index files_listed_by_status on files (account_id, status, created_at desc, file_id desc)
  where deleted_at is null;
-- Lists of files by kind and type. The name of an uploaded file has no slash, a URL has.
create index files_listed_by_kind on files (
  account_id,
  (case when store_type = 'OUTPUT' then 'output'
    when strpos(original_file_url, '/') > 0 then 'url' else 'upload' end),
  (coalesce(media ->> 'file_type', '')),
  status, created_at desc, file_id desc
) where deleted_at is null;
create index files_expiring on files (expires_at)
  where expires_at is not null and deleted_at is null;
create index files_to_sweep on files (file_id)
  where swept_at is null and (deleted_at is not null or status = 'FAILED');
create index files_sweep_due on files (sweep_retry_at, file_id)
  where swept_at is null and (deleted_at is not null or status = 'FAILED');
create index files_deleted on files (account_id, swept_at)
  where deleted_at is not null and store_type = 'STORED_FILE';

-- The statements guard themselves; this guards against every statement written later.
create function refuse_file_back() returns trigger language plpgsql as $$
begin
  raise exception 'file % is final', old.file_id using errcode = 'integrity_constraint_violation';
end
$$;
create trigger files_end_once before update on files for each row
  when (
    (old.status in ('STORED', 'FAILED') and new.status <> old.status)
    or (
      old.deleted_at is not null
      and (old.deleted_at, old.status, old.key) is distinct from (new.deleted_at, new.status, new.key)
    )
  )
  execute function refuse_file_back();

-- A command's record shows its outputs with their deletion, and whoever keeps a copy of the record
-- asks by its version whether it still holds. The lock in the order of ids keeps two deletions of
-- files of the same commands from waiting for each other.
create function count_output_deletions() returns trigger language plpgsql as $$
begin
  perform from commands c
  where c.command_id in (
    select after.command_id from after join before using (file_id)
    where after.deleted_at is distinct from before.deleted_at and after.command_id is not null
  )
  order by c.command_id for no key update;
  if not found then return null; end if;
  update commands set version = version + 1
  where command_id in (
    select after.command_id from after join before using (file_id)
    where after.deleted_at is distinct from before.deleted_at and after.command_id is not null
  );
  return null;
end
$$;
create trigger files_count_output_deletions after update on files
  referencing old table as before new table as after
  for each statement execute function count_output_deletions();

-- A multipart upload that a client fills by presigned URLs; the row goes when the session ends.
create table upload_sessions (
  file_id uuid primary key references files on delete cascade,
  -- An open upload counts among the bytes of its account, also while a cascade removes it after its file.
  account_id uuid not null,
  -- Null until the storage has opened it: the row comes first, so that no upload is ever forgotten.
  upload_id text,
  key text not null,
  size_bytes bigint not null check (size_bytes > 0),
  part_bytes bigint not null check (part_bytes > 0),
  expires_at timestamptz not null,
  -- One complete-upload at a time; after this time a crashed one has lost its claim.
  completing_until timestamptz
);
create index upload_sessions_expiring on upload_sessions (expires_at);

create function own_upload_session() returns trigger language plpgsql as $$
begin
  select account_id into new.account_id from files where file_id = new.file_id;
  return new;
end
$$;
create trigger upload_sessions_belong_to_accounts before insert on upload_sessions
  for each row execute function own_upload_session();
