-- phase: expand
-- oldest: 8

-- A statement that inserts waiting commands, as every submission does, needs two statements to count them in place of
-- seven: one lock and one update of the open bucket. Where the rows are not all newer than the bucket's key, or not all
-- waiting, they are counted as before. Locks and their order are those of `count_list_changes`.

-- step: count_submissions
create or replace function count_commands() returns trigger language plpgsql as $$
declare
  owner uuid;
  changes list_change[];
  added record;
  newest record;
begin
  -- In one order, or two statements with commands of the same accounts would wait for each other.
  for added in
    select account_id, count(*)::integer as listed,
      count(*) filter (where list_status = 'QUEUED')::integer as queued,
      min(created_at) as oldest_at
    from changed where command_type <> 'STORED_FILE' group by account_id order by account_id
  loop
    owner := added.account_id;
    if tg_op = 'INSERT' and added.listed = added.queued then
      select after_created_at, after_id, listed into newest from list_buckets
        where account_id = owner and list = 'commands'
        order by after_created_at desc, after_id desc limit 1 for no key update;
      if found and newest.after_created_at < added.oldest_at then
        update list_buckets set listed = listed + added.listed, queued = queued + added.queued
          where account_id = owner and list = 'commands'
            and after_created_at = newest.after_created_at and after_id = newest.after_id;
        if newest.listed + added.listed >= list_bucket_rows() then
          perform cut_list_buckets(owner, 'commands');
        end if;
        continue;
      end if;
    end if;
    select array_agg((
        created_at, command_id,
        case tg_op when 'DELETE' then list_status end,
        case tg_op when 'INSERT' then list_status end
      )::list_change)
      into changes
      from changed where account_id = owner and command_type <> 'STORED_FILE';
    perform count_list_changes(owner, 'commands', changes);
    if tg_op = 'INSERT' then perform cut_list_buckets(owner, 'commands'); end if;
  end loop;
  return null;
end
$$;
