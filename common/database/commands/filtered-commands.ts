import { dispatchWait } from '../pauses/paused.ts'
import { eachRow } from '../lists/page-of-list.ts'
import { summaries } from './command-records.ts'
import { searchSql } from './searched-commands.ts'
import { countedPositions, waitsToStart } from './queue-position.ts'
import type { Database } from '../connection/query.ts'
import type { CommandWatchStore, LiveCommand } from '../../store/command-states.ts'
import type { CommandFilterStore, CommandSummary, ExpandedCommand } from '../../store/commands.ts'

/** Lists and streams of an account's commands; all lock nothing. */
export function filteredCommands({
  query,
}: Database): CommandFilterStore & Pick<CommandWatchStore, 'findLive' | 'findLiveByIds'> {
  return {
    filterCommands(filter) {
      const { errorStatuses, search } = filter
      const common = [
        filter.accountId,
        filter.limit,
        filter.offset,
        filter.statuses,
        filter.createdAfter,
        filter.createdBefore,
        filter.beforeId,
        filter.metadata === null ? null : JSON.stringify(filter.metadata),
      ]
      if (search !== null) {
        return query<CommandSummary>('search_commands', searchSql, [
          ...common,
          errorStatuses,
          search,
        ])
      }
      return errorStatuses === null
        ? query<CommandSummary>('filter_commands', filterSql, common)
        : query<CommandSummary>('filter_failed_commands', filterFailedSql, [
            ...common,
            errorStatuses,
          ])
    },
    async expandCommands(accountId, commandIds, withNames) {
      if (commandIds.length === 0) return []
      const values = [[accountId], commandIds, withNames]
      return query<ExpandedCommand>('expand_commands', expandSql, values)
    },
    async findLive(accountIds, most) {
      if (accountIds.length === 0) return []
      return query<LiveCommand>('find_live', liveSql, [accountIds, most])
    },
    async findLiveByIds(commandIds) {
      if (commandIds.length === 0) return []
      return query<LiveCommand>('find_live_by_ids', liveByIdsSql, [commandIds])
    },
  }
}

/** @param lists the lists whose pages are merged, one index scan each; `matches` says what is in one */
function pageOf(lists: string, matches: string): string {
  return `
  with page as (
    select c.* from (
      select found.command_id from ${lists}
      cross join lateral (
        select created_at, command_id from commands
        where account_id = $1 and command_type <> 'STORED_FILE' and ${matches}
          and ($4::text[] is null or status = any($4::text[]))
          and created_at >= coalesce($5::timestamptz, '-infinity')
          and created_at < coalesce($6::timestamptz, 'infinity')
          and ($7::uuid is null or (created_at, command_id) < (
            (select created_at from commands b where b.command_id = $7 and b.account_id = $1), $7::uuid
          ))
          and ($8::json is null or (
            select bool_and(metadata ->> key is not distinct from value) from json_each_text($8::json)
          ))
        order by created_at desc, command_id desc limit $2::bigint + $3::bigint
      ) found
      order by found.created_at desc, found.command_id desc limit $2::bigint offset $3::bigint
    ) listed ${eachRow('commands', 'command_id', 'listed')}
  ) ${summaries}`
}

/**
 * Each status is an index scan of its own in the order of the list, so that a page of any statuses
 * costs a page of each.
 */
const filterSql = pageOf(
  `unnest(
      case when $4::text[] is null then array['QUEUED', 'RUNNING', 'SUCCESS', 'FAILED'] else (
        select array_agg(distinct case
          when one in ('PROCESSING', 'PREPARED_FFMPEG_COMMAND') then 'RUNNING' else one end)
        from unnest($4::text[]) one
      ) end
    ) as listed (list_status)`,
  'commands.list_status = listed.list_status',
)

/** The same for each kind of failure. */
const filterFailedSql = pageOf(
  '(select distinct kind from unnest($9::text[]) kind) listed',
  'commands.error_status = listed.kind',
)

/**
 * The front of the queue of each account in $1, with positions. A position is counted once for all
 * rows of a list, compared with once per row. `(select false)` is hidden from the planner, which
 * would otherwise simplify the comparison and no longer find the indexed expression; so is the limit, because
 * it would read and sort all live commands where it expects many rows.
 */
const half = (isDispatched: boolean): string => `(
  select q.command_id, coalesce(q.queue_key, q.created_at) as key from commands q
  where q.account_id = a.account_id and (q.vcpu_count = 0) = (select false)
    and q.dispatched_at is ${isDispatched ? 'not null' : 'null'} and q.admitted_at is null
    and q.finished_at is null
  order by coalesce(q.queue_key, q.created_at), q.command_id limit (select ${countedPositions})
)`

const queues = `
  queue as materialized (
    select front.command_id, front.position
    from unnest($1::uuid[]) a (account_id) cross join lateral (
      select command_id, (row_number() over (order by key, command_id))::integer as position
      from (${half(false)} union all ${half(true)}) halves limit ${countedPositions}
    ) front
  )`

/** Tables that `queueColumns` reads. */
const joinQueue = `left join queue using (command_id)
  left join account_shares share on share.account_id = c.account_id`

const isWaiting = 'c.admitted_at is null and c.finished_at is null'

const queueColumns = `
  case when ${isWaiting} then coalesce(queue.position, ${countedPositions + 1}) end as "queuePosition",
  case when ${waitsToStart} then c.start_wait
  when ${isWaiting} then coalesce(
    -- A reason about files is not about this queue.
    nullif(share.reason, 'ACCOUNT_FILES'), ${dispatchWait}
  ) end as "queueReason"`

/** Characters of the command that a list shows. */
const textLength = 300

/** Files of each kind that a list names. */
const namedFiles = 3

/** More than a file's name of 255 bytes has in percent-encoding. */
const pathLength = 1_000

const hasNames = '$3::boolean and c.original_request is not null'

const fileColumns = `
  case when ${hasNames} then array(
    select right(substring(url from '^[^?#]*'), ${pathLength}) from (
      select value as url from json_each_text(
        case json_typeof(c.source->'inputFiles') when 'object' then c.source->'inputFiles' end
      )
      union all select c.source->>'inputCompressedFolder'
    ) inputs where url is not null limit ${namedFiles}
  ) end as "inputPaths",
  case when ${hasNames} then case json_typeof(c.source->'outputFiles') when 'object' then array(
    select value from json_each_text(c.source->'outputFiles') limit ${namedFiles}
  ) else array['OUTPUT_FOLDER'] end end as "outputNames"`

const expandSql = `
  with ${queues}
  select c.command_id as "commandId", c.stage, c.progress_percent as "progressPercent",
    c.started_at as "startedAt", c.vcpu_count as "vcpuCount",
    left(c.source->'commands'->>0, ${textLength}) as "commandText",
    jsonb_array_length(c.steps) as "stepCount", ${queueColumns}, ${fileColumns}
  from commands c ${joinQueue}
  where c.command_id = any($2::uuid[]) and c.account_id = any($1::uuid[])
    and c.command_type <> 'STORED_FILE'`

const liveColumns = `
  c.account_id as "accountId", c.command_id as "commandId", c.version, c.status, c.stage,
  c.progress_percent as "progressPercent", c.attempts, c.error_status as "errorStatus",
  c.error_message as "errorMessage", c.steps, c.started_at as "startedAt",
  c.finished_at as "finishedAt", now() as "readAt"`

const ofStatus = (status: string): string => `(
  select * from commands
  where account_id = a.account_id and command_type <> 'STORED_FILE' and list_status = '${status}'
  order by created_at desc, command_id desc limit $2
)`

/** A command that begins and ends between two reads is among the recent ones. */
const recent = `(
  select * from commands
  where account_id = a.account_id and command_type <> 'STORED_FILE'
    and created_at > now() - interval '10 seconds' and list_status in ('SUCCESS', 'FAILED')
  order by created_at desc, command_id desc limit $2
)`

export const liveSql = `
  with ${queues}
  select ${liveColumns}, ${queueColumns}
  from unnest($1::uuid[]) a (account_id)
  cross join lateral (
    ${ofStatus('QUEUED')} union all ${ofStatus('RUNNING')} union all ${recent}
  ) c ${joinQueue}`

const liveByIdsSql = `
  select ${liveColumns}, null::integer as "queuePosition", null::text as "queueReason"
  from commands c where c.command_id = any($1::uuid[])`
