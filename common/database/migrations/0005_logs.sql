-- phase: expand
-- oldest: 5

-- FFmpeg's messages of a command that has ended, as one object of the bucket. The rows of
-- command_logs go in the transaction that records it, so they are always at one of the two places.
create table command_log_objects (
  command_id uuid primary key references commands on delete cascade,
  key text not null,
  -- How many bytes of the object belong to each step, in order.
  step_bytes integer[] not null
);

alter table command_logs
  -- How much was cut out here. The row stays, so that a repeated report cannot bring its text back.
  add column cut_bytes integer not null default 0;

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

-- With the vCPUs in the index, a place in the queue is counted without reading the waiting rows.
drop index commands_waiting;
create index commands_waiting on commands (account_id, created_at, command_id) include (vcpu_count)
  where admitted_at is null and finished_at is null;
