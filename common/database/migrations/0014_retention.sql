-- phase: expand
-- oldest: 8

-- Old records, originals, logs and whole accounts are deleted in batches.

-- step: accounts
alter table accounts
  -- Next visit of the retention; null: due now.
  add column retention_at timestamptz,
  -- Set by the request to delete the account; never taken back.
  add column deleting_at timestamptz;

-- step: originals
-- Null once the originals were deleted.
alter table commands alter column original_request drop not null;

-- step: retention_walks
-- Position of a walk over one list of an account, from the old end. Rows in front of it are done, except
-- those that had to stay; the next pass finds them again.
create table retention_walks (
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('logs', 'originals', 'file-originals', 'records')),
  created_at timestamptz not null default '-infinity',
  id uuid not null default '00000000-0000-0000-0000-000000000000',
  began_at timestamptz not null default now(),
  -- Set when the pass has met a row that is too young.
  ended_at timestamptz,
  primary key (account_id, kind)
);

-- step: deleted_accounts
-- What remains of a deleted account: no name and no address.
create table deleted_accounts (
  account_id uuid primary key,
  asked_at timestamptz not null default now(),
  done_at timestamptz,
  rows bigint not null default 0,
  -- Objects that the deletion itself removed; those of attempts and files are removed by their sweeps.
  objects bigint not null default 0
);

-- step: drop_empty_list_buckets
-- Deletes closed buckets without a row, so that each remaining bucket reaches to the next key. The bucket
-- with the lowest key stays: every row must have a bucket in front of it. The lock of the open bucket
-- excludes all that inserts rows, cuts buckets and creates groups; no other transaction changes the count
-- of an empty bucket. Locks in the order of count_list_changes: buckets, then groups, the newest first.
create function drop_empty_list_buckets(owner uuid, of_list text) returns integer language plpgsql as $$
declare
  newest list_buckets;
  dropped integer;
begin
  -- Without a lock, because most visits find none.
  perform from list_buckets where account_id = owner and list = of_list
    and listed = 0 and after_created_at > '-infinity';
  if not found then return 0; end if;
  select * into newest from list_buckets where account_id = owner and list = of_list
    order by after_created_at desc, after_id desc limit 1 for no key update;
  perform from list_buckets where account_id = owner and list = of_list
    and listed = 0 and after_created_at > '-infinity'
    and (after_created_at, after_id) < (newest.after_created_at, newest.after_id)
    order by after_created_at desc, after_id desc for update;
  delete from list_buckets where account_id = owner and list = of_list
    and listed = 0 and after_created_at > '-infinity'
    and (after_created_at, after_id) < (newest.after_created_at, newest.after_id);
  get diagnostics dropped = row_count;
  perform from list_groups g where g.account_id = owner and g.list = of_list
    and not exists (
      select from list_buckets b where b.account_id = owner and b.list = of_list
        and (b.after_created_at, b.after_id) >= (g.after_created_at, g.after_id)
        and (b.after_created_at, b.after_id) <= (g.last_created_at, g.last_id)
    )
    order by g.after_created_at desc, g.after_id desc for update;
  delete from list_groups g where g.account_id = owner and g.list = of_list
    and not exists (
      select from list_buckets b where b.account_id = owner and b.list = of_list
        and (b.after_created_at, b.after_id) >= (g.after_created_at, g.after_id)
        and (b.after_created_at, b.after_id) <= (g.last_created_at, g.last_id)
    );
  return dropped;
end
$$;

-- step: vacuum
-- A fifth of a large table is too many dead rows: the default would vacuum after months of deletions.
alter table commands set (autovacuum_vacuum_scale_factor = 0.02);
alter table files set (autovacuum_vacuum_scale_factor = 0.02);
alter table attempts set (autovacuum_vacuum_scale_factor = 0.02);
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.02);
alter table usage_changes set (autovacuum_vacuum_scale_factor = 0.02);
