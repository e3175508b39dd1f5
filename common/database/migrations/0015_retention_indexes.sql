-- phase: expand
-- oldest: 8

-- The retention finds what is due without reading the history.

-- step: accounts_by_retention
create index concurrently accounts_by_retention on accounts (retention_at nulls first);

-- step: accounts_deleting
create index concurrently accounts_deleting on accounts (deleting_at) where deleting_at is not null;

-- step: commands_file_work
-- Finished work on stored files, which no list shows.
create index concurrently commands_file_work on commands (account_id, finished_at)
  where command_type = 'STORED_FILE' and finished_at is not null;

-- step: files_deleted
create index concurrently files_deleted on files (account_id, swept_at)
  where deleted_at is not null and store_type = 'STORED_FILE';

-- step: uploads_by_command
-- Deleting a command deletes its uploads, and read all of them without it.
create index concurrently uploads_by_command on uploads (command_id);
