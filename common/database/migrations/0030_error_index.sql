-- phase: expand
-- oldest: 8

-- step: commands_failed_by_error
-- Lists by a kind of failure. The kind changes once, with the status, which is in an index already.
create index concurrently commands_failed_by_error
  on commands (account_id, error_status, created_at desc, command_id desc)
  where error_status is not null and command_type <> 'STORED_FILE';
