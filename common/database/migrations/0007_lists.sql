-- phase: expand
-- oldest: 7

-- Lists are read by offset, and OFFSET 999,000 reads 999,000 rows (1.1 s where the first page takes a
-- millisecond). So each list of an account is cut into buckets of about 1,000 rows that are counted
-- where rows come, go and change: an offset is a walk over the counts and then at most one bucket.
-- Triggers count, so that no statement written later can forget to.

-- What a command's list can be filtered by, without the changes that progress makes: an index on
-- status itself would take these updates off their page.
alter table commands add column list_status text not null generated always as (
  case when status in ('PROCESSING', 'PREPARED_FFMPEG_COMMAND') then 'RUNNING' else status end
) stored;

-- Jobs of stored files are no commands of the list; a run of them must not be walked over.
drop index commands_by_account;
-- With the status, so that a bucket is counted again by this index alone.
create index commands_listed on commands (account_id, created_at desc, command_id desc)
  include (list_status)
  where command_type <> 'STORED_FILE';
create index commands_listed_by_status
  on commands (account_id, list_status, created_at desc, command_id desc)
  where command_type <> 'STORED_FILE';
create index files_listed_by_status on files (account_id, status, created_at desc, file_id desc)
  where deleted_at is null;

-- A bucket holds the rows whose (created_at, id) is greater than its own key and not greater than
-- that of the next one. The newest bucket is open: it alone grows, and is cut when it is full. The
-- others keep their keys for good.
create table list_buckets (
  account_id uuid not null references accounts,
  list text not null check (list in ('commands', 'files')),
  after_created_at timestamptz not null default '-infinity',
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- Counted in a group too.
  grouped boolean not null default false,
  listed integer not null default 0,
  -- Running commands are few, so they are read and not counted.
  queued integer not null default 0,
  downloading integer not null default 0,
  downloaded integer not null default 0,
  uploaded integer not null default 0,
  stored integer not null default 0,
  success integer not null default 0,
  failed integer not null default 0,
  primary key (account_id, list, after_created_at, after_id)
) with (fillfactor = 50);
create index list_buckets_ungrouped on list_buckets (account_id, list, after_created_at, after_id)
  where not grouped;

-- Buckets that follow each other, from the one with the group's key to the last one: a million rows
-- are some 90 counts to walk over and not 1,000. Recent buckets, where most changes are, stay outside,
-- so that two commands that end together wait for each other only where they share a bucket.
create table list_groups (
  account_id uuid not null references accounts,
  list text not null,
  after_created_at timestamptz not null,
  after_id uuid not null,
  last_created_at timestamptz not null,
  last_id uuid not null,
  listed integer not null,
  queued integer not null,
  downloading integer not null,
  downloaded integer not null,
  uploaded integer not null,
  stored integer not null,
  success integer not null,
  failed integer not null,
  primary key (account_id, list, after_created_at, after_id)
) with (fillfactor = 50);

create function list_bucket_rows() returns integer immutable language sql return 1000;
create function list_group_buckets() returns integer immutable language sql return 32;

-- Every row of every list: what the buckets have to agree with.
create view listed_rows as
  select account_id, 'commands' as list, created_at, command_id as id, list_status as status
  from commands where command_type <> 'STORED_FILE'
  union all
  select account_id, 'files', created_at, file_id, status from files where deleted_at is null;

-- `was` null: the row is new in the list; `becomes` null: it leaves the list.
create type list_change as (created_at timestamptz, id uuid, was text, becomes text);

-- Locks buckets of one list of one account, the newest first, and then groups the same way, until the
-- end of the transaction; the rows themselves are locked before. A transaction that changes rows of
-- both lists does it in the order commands, files.
create function count_list_changes(owner uuid, of_list text, changes list_change[]) returns void
language plpgsql as $$
declare
  newest list_buckets;
begin
  select * into newest from list_buckets where account_id = owner and list = of_list
    order by after_created_at desc, after_id desc limit 1;
  if not found then
    insert into list_buckets (account_id, list) values (owner, of_list) on conflict do nothing;
    select * into newest from list_buckets where account_id = owner and list = of_list
      order by after_created_at desc, after_id desc limit 1;
  end if;

  -- Whoever cuts the open bucket holds its lock, so with it what is read here stays true. New rows
  -- may fill it, whichever they belong to: it comes first then too.
  if exists (
    select from unnest(changes) c
    where c.was is null or (c.created_at, c.id) > (newest.after_created_at, newest.after_id)
  ) then
    select * into newest from list_buckets where account_id = owner and list = of_list
      order by after_created_at desc, after_id desc limit 1 for no key update;
  end if;

  -- Closed buckets. A group is made under the locks of its buckets, so whether there is one is known
  -- once they are held.
  if exists (
    select from unnest(changes) c
    where (c.created_at, c.id) <= (newest.after_created_at, newest.after_id)
  ) then
    perform from list_buckets b
    where b.account_id = owner and b.list = of_list
      and (b.after_created_at, b.after_id) in (
        select o.after_created_at, o.after_id
        from unnest(changes) c cross join lateral (
          select after_created_at, after_id from list_buckets
          where account_id = owner and list = of_list
            and (after_created_at, after_id) < (c.created_at, c.id)
          order by after_created_at desc, after_id desc limit 1
        ) o
      )
    order by b.after_created_at desc, b.after_id desc
    for no key update;
    perform from list_groups g
    where g.account_id = owner and g.list = of_list
      and (g.after_created_at, g.after_id) in (
        select o.after_created_at, o.after_id
        from unnest(changes) c cross join lateral (
          select after_created_at, after_id from list_groups
          where account_id = owner and list = of_list
            and (after_created_at, after_id) < (c.created_at, c.id)
          order by after_created_at desc, after_id desc limit 1
        ) o
      )
    order by g.after_created_at desc, g.after_id desc
    for no key update;
  end if;

  with counted as (
    update list_buckets b set
      listed = b.listed + d.listed,
      queued = b.queued + d.queued,
      downloading = b.downloading + d.downloading,
      downloaded = b.downloaded + d.downloaded,
      uploaded = b.uploaded + d.uploaded,
      stored = b.stored + d.stored,
      success = b.success + d.success,
      failed = b.failed + d.failed
    from (
      select o.after_created_at, o.after_id,
        count(c.becomes) - count(c.was) as listed,
        count(*) filter (where c.becomes = 'QUEUED')
          - count(*) filter (where c.was = 'QUEUED') as queued,
        count(*) filter (where c.becomes = 'DOWNLOADING')
          - count(*) filter (where c.was = 'DOWNLOADING') as downloading,
        count(*) filter (where c.becomes = 'DOWNLOADED')
          - count(*) filter (where c.was = 'DOWNLOADED') as downloaded,
        count(*) filter (where c.becomes = 'UPLOADED')
          - count(*) filter (where c.was = 'UPLOADED') as uploaded,
        count(*) filter (where c.becomes = 'STORED')
          - count(*) filter (where c.was = 'STORED') as stored,
        count(*) filter (where c.becomes = 'SUCCESS')
          - count(*) filter (where c.was = 'SUCCESS') as success,
        count(*) filter (where c.becomes = 'FAILED')
          - count(*) filter (where c.was = 'FAILED') as failed
      from unnest(changes) c cross join lateral (
        select newest.after_created_at, newest.after_id
        where (c.created_at, c.id) > (newest.after_created_at, newest.after_id)
        union all (
          select after_created_at, after_id from list_buckets
          where (c.created_at, c.id) <= (newest.after_created_at, newest.after_id)
            and account_id = owner and list = of_list
            and (after_created_at, after_id) < (c.created_at, c.id)
          order by after_created_at desc, after_id desc limit 1
        )
      ) o
      group by o.after_created_at, o.after_id
    ) d
    where b.account_id = owner and b.list = of_list
      and b.after_created_at = d.after_created_at and b.after_id = d.after_id
    returning b.grouped, d.*
  )
  update list_groups g set
    listed = g.listed + d.listed,
    queued = g.queued + d.queued,
    downloading = g.downloading + d.downloading,
    downloaded = g.downloaded + d.downloaded,
    uploaded = g.uploaded + d.uploaded,
    stored = g.stored + d.stored,
    success = g.success + d.success,
    failed = g.failed + d.failed
  from (
    select o.after_created_at, o.after_id,
      sum(c.listed) as listed,
      sum(c.queued) as queued,
      sum(c.downloading) as downloading,
      sum(c.downloaded) as downloaded,
      sum(c.uploaded) as uploaded,
      sum(c.stored) as stored,
      sum(c.success) as success,
      sum(c.failed) as failed
    from counted c cross join lateral (
      select after_created_at, after_id from list_groups
      where account_id = owner and list = of_list
        and (after_created_at, after_id) <= (c.after_created_at, c.after_id)
      order by after_created_at desc, after_id desc limit 1
    ) o
    where c.grouped
    group by o.after_created_at, o.after_id
  ) d
  where g.account_id = owner and g.list = of_list
    and g.after_created_at = d.after_created_at and g.after_id = d.after_id;
end
$$;

-- Cuts full buckets off the open one. Locks the open bucket: all that is counted in it is committed or
-- our own then, so it can be counted again.
create function cut_list_buckets(owner uuid, of_list text) returns void language plpgsql as $$
declare
  bucket_rows constant integer := list_bucket_rows();
  newest list_buckets;
  piece list_buckets;
begin
  select * into newest from list_buckets where account_id = owner and list = of_list
    order by after_created_at desc, after_id desc limit 1 for no key update;
  if newest.listed < bucket_rows then return; end if;

  -- A statement that does more than insert has changes that are visible here and counted only next.
  select newest.account_id, newest.list, newest.after_created_at, newest.after_id, false,
      count(*), count(*) filter (where status = 'QUEUED'),
      count(*) filter (where status = 'DOWNLOADING'), count(*) filter (where status = 'DOWNLOADED'),
      count(*) filter (where status = 'UPLOADED'), count(*) filter (where status = 'STORED'),
      count(*) filter (where status = 'SUCCESS'), count(*) filter (where status = 'FAILED')
    into piece
    from listed_rows
    where account_id = owner and list = of_list
      and (created_at, id) > (newest.after_created_at, newest.after_id);
  if piece is distinct from newest then return; end if;

  while newest.listed >= bucket_rows loop
    piece := newest;
    select created_at, id into newest.after_created_at, newest.after_id from listed_rows
      where account_id = owner and list = of_list
        and (created_at, id) > (piece.after_created_at, piece.after_id)
      order by created_at, id offset bucket_rows - 1 limit 1;
    select count(*), count(*) filter (where status = 'QUEUED'),
        count(*) filter (where status = 'DOWNLOADING'), count(*) filter (where status = 'DOWNLOADED'),
        count(*) filter (where status = 'UPLOADED'), count(*) filter (where status = 'STORED'),
        count(*) filter (where status = 'SUCCESS'), count(*) filter (where status = 'FAILED')
      into piece.listed, piece.queued, piece.downloading, piece.downloaded, piece.uploaded,
        piece.stored, piece.success, piece.failed
      from listed_rows
      where account_id = owner and list = of_list
        and (created_at, id) > (piece.after_created_at, piece.after_id)
        and (created_at, id) <= (newest.after_created_at, newest.after_id);
    update list_buckets set
        after_created_at = newest.after_created_at, after_id = newest.after_id,
        listed = listed - piece.listed, queued = queued - piece.queued,
        downloading = downloading - piece.downloading, downloaded = downloaded - piece.downloaded,
        uploaded = uploaded - piece.uploaded, stored = stored - piece.stored,
        success = success - piece.success, failed = failed - piece.failed
      where account_id = owner and list = of_list
        and after_created_at = piece.after_created_at and after_id = piece.after_id
      returning * into newest;
    insert into list_buckets values (piece.*);
  end loop;
  perform group_list_buckets(owner, of_list);
end
$$;

-- Makes groups of the oldest closed buckets. Called under the lock of the open bucket, so there is one
-- at a time; the locks of the buckets keep their counts still.
create function group_list_buckets(owner uuid, of_list text) returns void language plpgsql as $$
declare
  group_buckets constant integer := list_group_buckets();
  last list_buckets;
  locked integer;
begin
  while 2 * group_buckets < (
    select count(*) from list_buckets where account_id = owner and list = of_list and not grouped
  ) loop
    select * into last from list_buckets
      where account_id = owner and list = of_list and not grouped
      order by after_created_at, after_id offset group_buckets - 1 limit 1;
    -- Waiting here, with locks of older buckets held, could be waiting in a circle. Another cut will do.
    select count(*) into locked from (
      select from list_buckets
      where account_id = owner and list = of_list and not grouped
        and (after_created_at, after_id) <= (last.after_created_at, last.after_id)
      for no key update skip locked
    ) b;
    if locked < group_buckets then return; end if;
    with members as (
      update list_buckets set grouped = true
      where account_id = owner and list = of_list and not grouped
        and (after_created_at, after_id) <= (last.after_created_at, last.after_id)
      returning *
    ), oldest as (
      select after_created_at, after_id from members order by after_created_at, after_id limit 1
    )
    insert into list_groups
    select owner, of_list, (select after_created_at from oldest), (select after_id from oldest),
      last.after_created_at, last.after_id,
      sum(listed), sum(queued), sum(downloading), sum(downloaded), sum(uploaded), sum(stored),
      sum(success), sum(failed)
    from members;
  end loop;
end
$$;

create function count_commands() returns trigger language plpgsql as $$
declare
  owner uuid;
  changes list_change[];
begin
  -- In one order, or two statements with commands of the same accounts would wait for each other.
  for owner, changes in
    select account_id, array_agg((
        created_at, command_id,
        case tg_op when 'DELETE' then list_status end,
        case tg_op when 'INSERT' then list_status end
      )::list_change)
    from changed where command_type <> 'STORED_FILE' group by account_id order by account_id
  loop
    perform count_list_changes(owner, 'commands', changes);
    if tg_op = 'INSERT' then perform cut_list_buckets(owner, 'commands'); end if;
  end loop;
  return null;
end
$$;
create trigger commands_counted_in after insert on commands
  referencing new table as changed for each statement execute function count_commands();
create trigger commands_counted_out after delete on commands
  referencing old table as changed for each statement execute function count_commands();

create function count_command_status() returns trigger language plpgsql as $$
begin
  perform count_list_changes(new.account_id, 'commands', array[
    (new.created_at, new.command_id, old.list_status, new.list_status)::list_change
  ]);
  return null;
end
$$;
-- By row, because a condition spares progress the call: two updates in a command's life pass it.
create trigger commands_counted_by_status after update on commands for each row
  when (old.list_status <> new.list_status and new.command_type <> 'STORED_FILE')
  execute function count_command_status();

create function count_files() returns trigger language plpgsql as $$
declare
  owner uuid;
  changes list_change[];
begin
  for owner, changes in
    select account_id, array_agg((
        created_at, file_id,
        case tg_op when 'DELETE' then status end,
        case tg_op when 'INSERT' then status end
      )::list_change)
    from changed where deleted_at is null group by account_id order by account_id
  loop
    perform count_list_changes(owner, 'files', changes);
    if tg_op = 'INSERT' then perform cut_list_buckets(owner, 'files'); end if;
  end loop;
  return null;
end
$$;
create trigger files_counted_in after insert on files
  referencing new table as changed for each statement execute function count_files();
create trigger files_counted_out after delete on files
  referencing old table as changed for each statement execute function count_files();

create function count_file_changes() returns trigger language plpgsql as $$
declare
  owner uuid;
  changes list_change[];
begin
  for owner, changes in
    select c.account_id,
      array_agg((c.created_at, c.file_id, c.was, c.becomes)::list_change)
    from (
      select n.account_id, n.created_at, n.file_id,
        case when o.deleted_at is null then o.status end as was,
        case when n.deleted_at is null then n.status end as becomes
      from before o join after n using (file_id)
    ) c
    where c.was is distinct from c.becomes
    group by c.account_id order by c.account_id
  loop
    perform count_list_changes(owner, 'files', changes);
  end loop;
  return null;
end
$$;
create trigger files_counted_by_status after update on files
  referencing old table as before new table as after
  for each statement execute function count_file_changes();

-- What is there already.
insert into list_buckets (
  account_id, list, after_created_at, after_id,
  listed, queued, downloading, downloaded, uploaded, stored, success, failed
)
select account_id, list,
  coalesce(lag(last_created_at) over oldest_first, '-infinity'),
  coalesce(lag(last_id) over oldest_first, '00000000-0000-0000-0000-000000000000'),
  listed, queued, downloading, downloaded, uploaded, stored, success, failed
from (
  select account_id, list, bucket,
    (array_agg(created_at) filter (where place % list_bucket_rows() = 0))[1] as last_created_at,
    (array_agg(id) filter (where place % list_bucket_rows() = 0))[1] as last_id,
    count(*) as listed, count(*) filter (where status = 'QUEUED') as queued,
    count(*) filter (where status = 'DOWNLOADING') as downloading,
    count(*) filter (where status = 'DOWNLOADED') as downloaded,
    count(*) filter (where status = 'UPLOADED') as uploaded,
    count(*) filter (where status = 'STORED') as stored,
    count(*) filter (where status = 'SUCCESS') as success,
    count(*) filter (where status = 'FAILED') as failed
  from (
    select *, (place - 1) / list_bucket_rows() as bucket
    from (
      select *, row_number() over (partition by account_id, list order by created_at, id) as place
      from listed_rows
    ) placed
  ) r
  group by account_id, list, bucket
) b
window oldest_first as (partition by account_id, list order by bucket);
select group_list_buckets(account_id, list)
from (select distinct account_id, list from list_buckets) l;
