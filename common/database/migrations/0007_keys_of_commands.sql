-- Who submitted and who cancelled a command. Both are null for rows of the release before.
alter table commands
  -- No reference: it would lock the key's row with each submission.
  add column submitted_key_id uuid,
  -- Words for users, of the first request to cancel; also set where the command ended otherwise in the meantime.
  add column cancelled_by text;
