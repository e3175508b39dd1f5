import type { CommandState, CommandWatchStore } from '../../store/command-states.ts'
import type { Database } from '../connection/query.ts'

export const stateColumns = `
  c.command_id as "commandId", c.version, c.status, c.stage,
  c.progress_percent as "progressPercent", c.attempts, c.error_status as "errorStatus",
  jsonb_array_length(c.steps) as "stepCount", c.created_at as "createdAt", now() as "readAt"`

/** States and queue positions for followers of commands. */
export function commandStates({
  query,
}: Database): Omit<CommandWatchStore, 'findLive' | 'findLiveByIds'> {
  return {
    /** Locks nothing. */
    async findState(accountId, commandId) {
      const [row] = await query<CommandState>(
        'find_state',
        `select ${stateColumns} from commands c
         where c.command_id = $2 and c.account_id = $1 and c.command_type <> 'STORED_FILE'`,
        [accountId, commandId],
      )
      return row ?? null
    },

    /** Locks nothing. One statement for all commands that a process follows, one index probe each. */
    findChanged(known) {
      if (known.length === 0) return Promise.resolve([])
      return query<CommandState>(
        'find_changed',
        `select ${stateColumns}
         from unnest($1::uuid[], $2::bigint[]) as known (command_id, version)
         join commands c using (command_id) where c.version <> known.version`,
        [known.map(({ commandId }) => commandId), known.map(({ version }) => version)],
      )
    },

    /**
     * Locks nothing. Sums the counters of the list up to the command's bucket and counts the rows of
     * that bucket only: some 100 counters and at most 1,000 rows of the index, however long the queue.
     */
    async countQueued({ accountId, commandId }) {
      const [row] = await query<{ count: number }>('count_queued', countQueuedSql, [
        accountId,
        commandId,
      ])
      return row?.count ?? 0
    },
  }
}

const ofAccount = "account_id = $1 and list = 'commands'"

export const countQueuedSql = `with command as (
  select created_at, command_id from commands where account_id = $1 and command_id = $2
), bucket as (
  select b.after_created_at, b.after_id, b.grouped
  from command cross join lateral (
    select after_created_at, after_id, grouped from list_buckets
    where ${ofAccount} and (after_created_at, after_id) < (command.created_at, command.command_id)
    order by after_created_at desc, after_id desc limit 1
  ) b
), own_group as (
  select g.after_created_at, g.after_id
  from bucket cross join lateral (
    select after_created_at, after_id from list_groups
    where ${ofAccount}
      and (after_created_at, after_id) <= (bucket.after_created_at, bucket.after_id)
    order by after_created_at desc, after_id desc limit 1
  ) g
  where bucket.grouped
)
select (
  coalesce((
    select sum(b.queued) from list_buckets b, bucket
    where b.account_id = $1 and b.list = 'commands' and not b.grouped
      and (b.after_created_at, b.after_id) < (bucket.after_created_at, bucket.after_id)
  ), 0) + coalesce((
    select sum(g.queued) from list_groups g, bucket
    where g.account_id = $1 and g.list = 'commands'
      and (g.last_created_at, g.last_id) < (bucket.after_created_at, bucket.after_id)
  ), 0) + coalesce((
    select sum(b.queued) from list_buckets b, bucket, own_group
    where b.account_id = $1 and b.list = 'commands'
      and (b.after_created_at, b.after_id) >= (own_group.after_created_at, own_group.after_id)
      and (b.after_created_at, b.after_id) < (bucket.after_created_at, bucket.after_id)
  ), 0) + (
    select count(*) from commands c, command, bucket
    where c.account_id = $1 and c.command_type <> 'STORED_FILE' and c.list_status = 'QUEUED'
      and (c.created_at, c.command_id) > (bucket.after_created_at, bucket.after_id)
      and (c.created_at, c.command_id) <= (command.created_at, command.command_id)
  )
)::integer as count`
