-- phase: expand
-- oldest: 8

-- step: standbys
-- An attempt can be a pod that waited for a command before one was chosen for it. Both are null for a
-- pod that was made for its command.
alter table attempts
  add column standby_job text,
  -- By the pod's own clock, from its start until it was given the command.
  add column waited_seconds integer;
