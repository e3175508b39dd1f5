-- phase: expand
-- oldest: 7

-- What a command's list can be filtered by, without the changes that progress makes: an index on
-- status itself would take these updates off their page.
alter table commands add column list_status text not null generated always as (
  case when status in ('PROCESSING', 'PREPARED_FFMPEG_COMMAND') then 'RUNNING' else status end
) stored;

-- Jobs of stored files are no commands of the list; a run of them must not be walked over.
drop index commands_by_account;
create index commands_listed on commands (account_id, created_at desc, command_id desc)
  where command_type <> 'STORED_FILE';
create index commands_listed_by_status
  on commands (account_id, list_status, created_at desc, command_id desc)
  where command_type <> 'STORED_FILE';
create index files_listed_by_status on files (account_id, status, created_at desc, file_id desc)
  where deleted_at is null;
