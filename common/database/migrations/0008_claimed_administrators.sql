-- Name that the administrator's machine sent. PostgreSQL cannot verify it; null where none was sent.
alter table admin_actions add column claimed_by text;
