import type { CommandState, CommandWatchStore, QueueAnchor } from '../../store/command-states.ts'
import type { Database } from '../connection/query.ts'

export const stateColumns = `
  c.command_id as "commandId", c.version, c.status, c.stage,
  c.progress_percent as "progressPercent", c.attempts, c.error_status as "errorStatus",
  jsonb_array_length(c.steps) as "stepCount", now() as "readAt"`

/** States and queue positions for followers of commands. */
export function commandStates({ query }: Database): CommandWatchStore {
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

    /** Locks nothing; walks the index of the account's waiting rows once. */
    findQueueAnchors(accountId, every) {
      return query<QueueAnchor>(
        'find_queue_anchors',
        `select command_id as "commandId", created_at as "createdAt", position::integer
         from (
           select command_id, created_at,
             row_number() over (order by created_at, command_id) as position
           from commands
           where account_id = $1 and admitted_at is null and finished_at is null and vcpu_count > 0
         ) waiting
         where position % $2 = 0
         order by position`,
        [accountId, every],
      )
    },

    /** Locks nothing; reads the index of waiting rows between the two. */
    async countQueued(range) {
      const [row] = await query<{ count: number }>(
        'count_queued',
        `select count(*)::integer as count
         from commands c join commands q on q.account_id = c.account_id
         where c.account_id = $1 and c.command_id = $2
           and q.admitted_at is null and q.finished_at is null and q.vcpu_count > 0
           and (q.created_at, q.command_id) > (coalesce($3::timestamptz, '-infinity'), $4::uuid)
           and (q.created_at, q.command_id) <= (c.created_at, c.command_id)`,
        [
          range.accountId,
          range.commandId,
          range.after?.createdAt.toISOString() ?? null,
          range.after?.commandId ?? '00000000-0000-0000-0000-000000000000',
        ],
      )
      return row?.count ?? 0
    },
  }
}
