-- phase: expand
-- oldest: 2

-- Outputs of commands and stored files stand in one table, because they are listed as one.
alter table files
  alter column command_id drop not null,
  alter column position drop not null,
  alter column alias drop not null,
  alter column key drop not null,
  alter column size_bytes drop not null,
  alter column media drop not null,
  add column store_type text not null default 'OUTPUT'
    check (store_type in ('OUTPUT', 'STORED_FILE')),
  add column status text not null default 'STORED'
    check (status in ('QUEUED', 'DOWNLOADING', 'DOWNLOADED', 'UPLOADED', 'STORED', 'FAILED')),
  add column error_status text,
  add column error_message text,
  -- The URL that the file was stored from, or the name of an uploaded file.
  add column original_file_url text,
  add column webhook_url text,
  add column expires_at timestamptz,
  -- Set once the objects of a deleted or failed file are gone.
  add column swept_at timestamptz,
  add constraint outputs_have_a_command check (
    (store_type = 'OUTPUT') = (command_id is not null)
    and (store_type = 'OUTPUT') = (alias is not null)
  ),
  add constraint outputs_are_stored check (store_type <> 'OUTPUT' or status = 'STORED'),
  add constraint stored_has_an_object
    check (status not in ('UPLOADED', 'STORED') or (key is not null and size_bytes is not null)),
  add constraint error_only_on_failed_files check (
    (status = 'FAILED') = (error_status is not null)
    and (error_status is null) = (error_message is null)
  );

create index files_by_account on files (account_id, created_at desc, file_id desc)
  where deleted_at is null;
create index files_expiring on files (expires_at)
  where expires_at is not null and deleted_at is null;
create index files_to_sweep on files (file_id)
  where swept_at is null and (deleted_at is not null or status = 'FAILED');

-- A multipart upload that a client fills by presigned URLs; the row goes when the session ends.
create table upload_sessions (
  file_id uuid primary key references files on delete cascade,
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

alter table commands
  -- Outputs are deleted so long after the end; null keeps them.
  add column output_ttl_seconds integer check (output_ttl_seconds > 0),
  add column webhook_url text,
  drop constraint commands_command_type_check,
  -- STORED_FILE: fetches or probes the file with the same id; it has no FFmpeg command and no record of its own.
  add constraint commands_command_type_check
    check (command_type in ('FFMPEG_COMMAND', 'FFMPEG_CHAINED_COMMANDS', 'STORED_FILE')),
  drop constraint commands_vcpu_count_check,
  -- A stored file's job counts nothing against the account's vCPUs.
  add constraint commands_vcpu_count_check
    check (vcpu_count > 0 or (vcpu_count = 0 and command_type = 'STORED_FILE'));
